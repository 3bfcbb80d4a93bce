// Whether two samples are of one distribution: the Mann-Whitney test, by ranks, so that a few slow responses do not matter.

/**
 * @returns `z`, how many standard deviations the sum of ranks is from what is expected of one distribution; and `right`, the share
 *   of pairs of which somebody who guesses that the larger one is from `b` is right: 0.5 tells nothing
 */
export function compareSamples(a, b) {
  const all = [...a.map((value) => ({ value, isB: false })), ...b.map((value) => ({ value, isB: true }))]
  all.sort((x, y) => x.value - y.value)
  let ranks = 0
  for (let from = 0; from < all.length; ) {
    let until = from
    while (until < all.length && all[until].value === all[from].value) until += 1
    // Equal values share their ranks.
    const rank = (from + 1 + until) / 2
    for (; from < until; from += 1) if (all[from].isB) ranks += rank
  }
  const pairs = a.length * b.length
  const wins = ranks - (b.length * (b.length + 1)) / 2
  const deviation = Math.sqrt((pairs * (a.length + b.length + 1)) / 12)
  return { z: (wins - pairs / 2) / deviation, right: wins / pairs }
}
