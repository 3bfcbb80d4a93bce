/**
 * Runs many rounds in batches, two batches at a time. Each batch has a new set-up, so that its data stays small.
 * @param run receives the number of the batch, and its rounds
 * @returns the sums of the results, see `sumResults`
 */
export async function inLanes(rounds, roundsOfEach, run) {
  const count = Math.ceil(rounds / roundsOfEach)
  let total
  let begun = 0
  const lane = async () => {
    while (begun < count) {
      const i = begun++
      const result = await run(i, Math.min(roundsOfEach, rounds - i * roundsOfEach))
      total = total ? sumResults(total, result) : result
    }
  }
  await Promise.all([lane(), lane()])
  return total
}

/** Combines two results: adds their counts, takes the longer times (`…Ms`), and concatenates their lists. */
export const sumResults = (a, b) =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => {
      if (Array.isArray(value)) return [name, [...value, ...b[name]]]
      return [name, name.endsWith('Ms') ? Math.max(value, b[name]) : value + b[name]]
    }),
  )
