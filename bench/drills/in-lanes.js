/**
 * Makes many rounds with a new setting after some of them, so that what grows stays small; two settings at a time.
 * @param make is given the number of a setting, and its rounds
 * @returns what each of them resolved with
 */
export async function inLanes(rounds, roundsOfEach, make) {
  const count = Math.ceil(rounds / roundsOfEach)
  const made = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const i = next++
      made.push(await make(i, Math.min(roundsOfEach, rounds - i * roundsOfEach)))
    }
  }
  await Promise.all([lane(), lane()])
  return made
}
