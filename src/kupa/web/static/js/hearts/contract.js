// What the server tells the table of Hearts: the types of the view and of the events, for the other modules.
// The keys are those of the public protocol; ARCHITECTURE.md lists the events.

/** @typedef {"left" | "right" | "across" | "hold"} Direction */
/** @typedef {{seat: number, card: string}} Played a card such as "QS", and who played it */

/**
 * The fields of a rulebook that the table shows something of.
 * @typedef {object} Rules
 * @property {number} players
 * @property {number} decks
 * @property {string[]} removed
 * @property {number} pass_count
 * @property {Direction[]} pass_cycle
 * @property {number} queen_points
 * @property {number} heart_points
 * @property {string | null} bonus_card
 * @property {"add" | "subtract" | "choice"} moon
 * @property {number} moon_points
 * @property {number} target
 * @property {"play_on" | "share"} tie
 * @property {boolean} perfect_round
 * @property {boolean} cancellation
 */

/**
 * All that the person's seat may know of the match.
 * @typedef {object} View
 * @property {string} phase pass, open, play, moon, chosen, scored, deal or over
 * @property {Rules & Record<string, unknown>} rules
 * @property {number} round counted from 0
 * @property {Direction} direction
 * @property {number | null} turn
 * @property {number | null} seat null for somebody who watches
 * @property {string[]} hand in the order in which it is shown
 * @property {number[]} counts
 * @property {boolean[]} passed
 * @property {{cards: string[], to: number} | null} my_pass
 * @property {{cards: string[], from: number} | null} received
 * @property {string[]} legal
 * @property {Played[]} trick
 * @property {{leader: number, cards: Played[], winner: number | null, points: number} | null} last_trick
 * @property {{number: number, winner: number | null, points: number}[]} tricks
 * @property {number} pile_count
 * @property {boolean} broken
 * @property {number[]} taken
 * @property {string[] | number} kitty
 * @property {number[]} totals
 * @property {number[][]} rounds
 * @property {{raw: number[], points: number[], shooter: number | null, choice: string | null} | null} last_round
 * @property {"tie" | "perfect_round" | null} extra_round
 * @property {number[]} perfect
 * @property {number[]} winners
 * @property {boolean} can_claim whether the rest of the round may be skipped
 */

/** @typedef {{type: string} & Record<string, any>} Event */
/** @typedef {import("../connection.js").Info & {id: string, changed: string[], end_early: boolean, bots: string, gave_up: number[], past_room: string | null}} Info
 * changed: the fields that house rules set; end_early: whether a round ends once no points are left; bots: their level;
 * gave_up: the seats that have given the match up; past_room: the room whose match it was */
/** @typedef {import("../connection.js").Reason} Reason */
/** @typedef {{seq: number, event: Event | null, view: View}} Entry */

export {};
