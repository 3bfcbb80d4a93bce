import { allTests, projectOf } from './test/test-projects.js'
import config from './vitest.config.js'

/** The rooms that are mutated (see stryker.config.js), by their names below src: `server` for `server/http`. */
const rooms = (process.env.MUTATION ?? '').split(',').map((folder) => folder.split('/')[0])
/** What every operation goes through, over the shell where that is mutated, and what is added to the table. */
const suite = rooms.some((room) => /^(http|server)$/.test(room ?? '')) ? 'production' : 'interceptor'
const everything = new RegExp(`^test/(conformance/${suite}|contract/added-operations)\\.test`)
/** Their tests. */
const ofRooms = new RegExp(`^test/(${rooms.join('|')})/`)
/** These wait on purpose, or send thousands of requests: each mutant that they cover would take seconds longer. */
const slow = /start-server|overload|provider-sign-out|connection-limits/

/** The quick tests of the code that `npm run mutation` changes. */
export default {
  ...config,
  test: {
    ...config.test,
    projects: undefined,
    include: allTests().filter(
      (file) =>
        everything.test(file) || (ofRooms.test(file) && !slow.test(file) && projectOf(file) === 'quick'),
    ),
    // A mutant for which a test waits in vain is killed by that test, and does not wait for Stryker's own time limit.
    testTimeout: 4_000,
    hookTimeout: 10_000,
    reporters: [],
  },
}
