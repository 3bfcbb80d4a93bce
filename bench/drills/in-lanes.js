/**
 * Makes many rounds with a new setting after some of them, so that what grows stays small; two settings at a time.
 * @param make is given the number of a setting, and its rounds
 * @returns of all that they resolved with the sums, the longest times, and the lists one after the other
 */
export async function inLanes(rounds, roundsOfEach, make) {
  const count = Math.ceil(rounds / roundsOfEach)
  let made
  let begun = 0
  const lane = async () => {
    while (begun < count) {
      const i = begun++
      const next = await make(i, Math.min(roundsOfEach, rounds - i * roundsOfEach))
      made = made ? added(made, next) : next
    }
  }
  await Promise.all([lane(), lane()])
  return made
}

/** The sums of two results, their longest times, and the lists one after the other. */
export const added = (a, b) =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => {
      if (Array.isArray(value)) return [name, [...value, ...b[name]]]
      return [name, name.endsWith('Ms') ? Math.max(value, b[name]) : value + b[name]]
    }),
  )
