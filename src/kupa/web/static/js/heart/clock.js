// The playing time: it runs from the first tap that changes anything, stands still while the page is hidden, and
// stops at the end. Each tap and undo tells it to the server; what passes in between is kept for a reload.

/** Write a playing time: 07:31, 1:02:09. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${two(minutes)}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export class Clock {
  #kept = 0;
  #since = 0;
  #wanted = false;
  #timer = 0;
  #key;
  #tick;

  /**
   * @param {string} match the match's id: its time is kept under it while the browser's tab lives
   * @param {number} known playing time as the server knows it, in ms
   * @param {(ms: number) => void} tick called when another second is full, and when the time is set
   */
  constructor(match, known, tick) {
    this.#key = `kupa.clock.${match}`;
    this.#tick = tick;
    this.#kept = Math.max(known, this.#stored());
    document.addEventListener("visibilitychange", () => this.#follow());
    window.addEventListener("pagehide", () => this.#rest());
    window.addEventListener("pageshow", () => this.#follow());
  }

  /** Playing time so far, in whole milliseconds. */
  get ms() {
    return Math.floor(this.#kept + (this.#since ? performance.now() - this.#since : 0));
  }

  /** Let it run while the page is seen; false stops it. @param {boolean} wanted */
  run(wanted) {
    this.#wanted = wanted;
    this.#follow();
  }

  /** Never be behind what the server knows. @param {number} ms */
  atLeast(ms) {
    if (ms > this.ms) this.#kept += ms - this.ms;
  }

  /** Stop at a time: the one that was told with the last move. @param {number} ms */
  stopAt(ms) {
    this.#wanted = false;
    this.#since = 0;
    this.#kept = ms;
    this.#follow();
  }

  #follow() {
    if (this.#wanted && !document.hidden) {
      if (!this.#since) this.#since = performance.now();
      this.#wait();
    } else {
      this.#rest();
    }
  }

  /** Stand still, and keep the time for a reload. */
  #rest() {
    this.#kept = this.ms;
    this.#since = 0;
    clearTimeout(this.#timer);
    this.#tick(this.#kept);
    try {
      sessionStorage.setItem(this.#key, String(this.#kept));
    } catch {
      // A browser that keeps nothing still has what the server knows.
    }
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#tick(this.ms);
    this.#timer = setTimeout(() => this.#wait(), 1000 - (this.ms % 1000) + 5);
  }

  #stored() {
    try {
      const stored = Number(sessionStorage.getItem(this.#key));
      return Number.isFinite(stored) ? stored : 0;
    } catch {
      return 0;
    }
  }
}
