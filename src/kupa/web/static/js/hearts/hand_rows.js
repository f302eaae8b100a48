// How a hand is laid out: where a narrow screen breaks it into two rows. The same as templates/hearts/hand.html.

/**
 * Where the second row begins: at the suit boundary nearest the middle, if no row is then longer than eight cards
 * or half the hand, else in the middle. Up to seven cards stay in one row: the answer is then their number.
 * @param {string[]} cards such as "QS", in the order shown
 */
export function breakOf(cards) {
  const count = cards.length;
  if (count <= 7) return count;
  const half = Math.ceil(count / 2);
  let [at, off] = [half, Infinity];
  for (let k = 1; k < count; k += 1) {
    const isBoundary = cards[k][1] !== cards[k - 1][1];
    const distance = Math.abs(2 * k - count);
    if (isBoundary && Math.max(k, count - k) <= Math.max(8, half) && distance < off) [at, off] = [k, distance];
  }
  return at;
}

/**
 * The places of a hand's cards, and what the hand itself needs to know.
 * @param {string[]} cards
 * @returns {{half: number, isOne: boolean, places: {k: number, r: number, col: number, o: number}[]}}
 *   half: the length of the longer row; o: by how many steps a shorter row is moved in
 */
export function layOut(cards) {
  const at = breakOf(cards);
  const half = Math.max(at, cards.length - at);
  const places = cards.map((_, k) => {
    const r = k < at ? 0 : 1;
    const length = r === 0 ? at : cards.length - at;
    return { k, r, col: r ? k - at : k, o: (half - length) / 2 };
  });
  return { half, isOne: at === cards.length, places };
}
