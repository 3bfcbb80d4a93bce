// Checks whether a history of operations is linearizable: one order must explain all results, in which each operation takes effect
// at a moment between its start and its end. The search is that of Wing and Gong (1993), with Lowe's cache of visited
// configurations (2017). There is no such package on npm.

/**
 * @param operations each with its times, `start` and `end`. `end` is infinite where the outcome is unknown: such an operation takes
 *   effect at any time after its start, or never
 * @param model.initial the state before all operations, a string
 * @param model.apply(state, operation) returns the state after an operation, or undefined if its result contradicts the state
 * @returns undefined if there is such an order; otherwise `order`, the longest prefix that was found, and `stuck`, the operations of
 *   which none can come next
 */
export function findContradiction(operations, { initial, apply }) {
  const all = operations.toSorted((a, b) => a.start - b.start)
  const isDone = all.map(() => '0')
  const order = []
  const tried = new Set()
  let longest = { order: [], stuck: all }

  /** @param from all operations before this index are done */
  const search = (from, state) => {
    let first = from
    while (isDone[first] === '1') first += 1
    const isDue = (_, i) => isDone[i] === '0' && all[i].end < Infinity
    if (!all.some(isDue)) return true
    const situation = `${first} ${isDone.slice(first, isDone.lastIndexOf('1') + 1).join('')} ${state}`
    if (tried.has(situation)) return false
    tried.add(situation)

    // An operation that began after the end of another comes after it.
    const next = []
    let firstEnd = Infinity
    for (let i = first; i < all.length && all[i].start <= firstEnd; i += 1) {
      if (isDone[i] === '1') continue
      next.push(i)
      firstEnd = Math.min(firstEnd, all[i].end)
    }
    if (order.length >= longest.order.length)
      longest = { order: order.map((i) => all[i]), stuck: next.map((i) => all[i]) }
    for (const i of next) {
      const after = apply(state, all[i])
      if (after === undefined) continue
      isDone[i] = '1'
      order.push(i)
      if (search(first, after)) return true
      isDone[i] = '0'
      order.pop()
    }
    return false
  }
  return search(0, initial) ? undefined : longest
}
