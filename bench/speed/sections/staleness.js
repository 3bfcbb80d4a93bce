import { startCommits } from '../background-commits.js'
import { withServers } from '../compare.js'
import { mapInSeries } from '../files.js'
import { production, ttlCache } from '../subjects.js'

const teams = 50

/** How long one server may be loaded, in ms. */
const timeoutMs = 300_000

export const staleness = {
  title: 'Production: stale responses while another process commits',
  async run({ files, isQuick }) {
    const database = await files.database({ teams })
    const listsAndBundles = ({ list, bundle }) => [list, bundle]
    const subjects = [
      {
        ...production(database),
        workloadOf: listsAndBundles,
        requests: isQuick ? 100_000 : 1_000_000,
      },
      // These servers send stale responses: they prove that the check finds them.
      ...[50, 5].map((ttlMs) => ({
        ...ttlCache({ ...database, ttlMs }),
        workloadOf: ({ list }) => list,
        requests: isQuick ? 10_000 : 50_000,
      })),
    ]
    const rows = await withServers(subjects, async ({ servers, load }) => {
      let last
      const onCommit = (number) => {
        last = number
        load.reportCommit(number)
      }
      const stop = await startCommits({ ...database, teams, onCommit })
      try {
        return await mapInSeries(servers, async ({ name, url, workloads, workloadOf, requests }) => {
          const first = last
          const { count, stale, unexpected } = await load.run({
            url,
            workload: workloadOf(workloads),
            connections: 50,
            count: requests,
            ms: timeoutMs,
            checkStale: true,
          })
          return { name, requests: count, commits: last - first, stale, unexpected }
        })
      } finally {
        stop()
      }
    })
    const [, ...controls] = rows
    if (controls.some(({ stale }) => stale === 0)) throw new Error('the check does not find stale responses')
    const caption = `Each commit changes all ${teams} teams and has a number, which the responses show. A response is stale if its number is lower than that of a commit that was known to be made before the request was sent. Lists and session bundles, connections: 50.`
    return [{ id: 'staleness', caption, rows }]
  },
}
