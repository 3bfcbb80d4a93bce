import { committing } from '../committing.js'
import { withServers } from '../compare.js'
import { databaseIn, each } from '../files.js'
import { production, stale as staleServer } from '../subjects.js'

const teams = 50

/** How long one server may be asked, in ms. */
const longest = 180_000

export const stale = {
  title: 'Production, what another process committed is seen',
  async run({ folder, isQuick }) {
    const world = await databaseIn(folder, 'stale', { teams })
    const kinds = ({ work }) => [work.list, work.bundle]
    const subjects = [
      { ...production(world), kinds, count: isQuick ? 100_000 : 1_000_000 },
      // That stale answers are noticed is shown by servers that give them.
      ...[50, 5].map((keepMs) => ({
        ...staleServer({ ...world, keepMs }),
        kinds: ({ work }) => work.list,
        count: isQuick ? 10_000 : 50_000,
      })),
    ]
    const rows = await withServers(subjects, async ({ servers, load }) => {
      let last
      const onCommit = (serial) => {
        last = serial
        load.tell(serial)
      }
      const stop = await committing({ ...world, teams, onCommit })
      try {
        return await each(servers, async ({ name, url, kinds, count, ...server }) => {
          const options = { work: kinds(server), connections: 50, count, ms: longest, watches: true }
          const first = last
          const { count: requests, stale, wrong } = await load.run({ url, ...options })
          return { name, requests, commits: last - first, stale, wrong }
        })
      } finally {
        stop()
      }
    })
    const [, ...wrongOnes] = rows
    if (wrongOnes.some(({ stale }) => stale === 0)) throw new Error('stale answers are not noticed')
    const what = `Every commit changes all ${teams} teams and has a number, which the answers of each show. An answer is stale if its number is lower than that of a commit which was known to be made before the request was sent. Lists and session bundles, connections: 50.`
    return [{ id: 'stale', what, rows }]
  },
}
