/** The token of the metrics of a node that is to be asked. */
export const metricsToken = 'a-token-for-the-metrics-of-drills'

/** What a node tells whoever watches it: its log, its metrics, and its readiness. */
export async function whatNodeSays(node) {
  const textOf = async (path) => {
    const response = await fetch(node.url + path, { headers: { authorization: `Bearer ${metricsToken}` } })
    return response.text()
  }
  return { log: node.log(), metrics: await textOf('/metrics'), readyz: await textOf('/readyz') }
}
