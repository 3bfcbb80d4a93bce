import { waitUntil } from './database.js'

/** The token of the metrics of a node that is to be asked. */
export const metricsToken = 'a-token-for-the-metrics-of-drills'

/**
 * Waits until a node says something to whoever watches it.
 * @param says which of `the log`, `/metrics` and `/readyz` have to say it: each with what tells whether a text does
 * @returns which of them do not in time (ms)
 */
export async function silentPlaces(node, says, ms) {
  const textOf = async (place) => {
    if (place === 'the log') return node.log()
    const response = await fetch(node.url + place, { headers: { authorization: `Bearer ${metricsToken}` } })
    return response.text()
  }
  const silent = new Set(Object.keys(says))
  const isSaid = async () => {
    for (const place of silent) if (says[place](await textOf(place))) silent.delete(place)
    return silent.size === 0
  }
  await waitUntil(isSaid, ms, 500)
  return [...silent]
}
