// What a person's browser adds to the deal of the next match, so that the server alone cannot choose it.

/** How many random bytes, as the deal wants them. */
const BYTES = 16;

/** Random bytes in hex. */
function randomHex() {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Add to the deal as soon as one sits, once for each deal.
 * @param {(command: {type: string, given: string}) => string} ask gives a command of the room; returns its id
 */
export function createSeal(ask) {
  /** The id of what is on its way. @type {string | null} */
  let asked = null;
  return {
    /** Look at the room as it is now. @param {any} view */
    look(view) {
      const isDue = view.my_seat !== null && view.phase !== "playing" && !view.contributed.includes(view.me);
      if (isDue && asked === null) asked = ask({ type: "contribute", given: randomHex() });
    },
    /** Something was answered; tells whether it was this. @param {string} id */
    answered(id) {
      if (id !== asked) return false;
      asked = null;
      return true;
    },
  };
}
