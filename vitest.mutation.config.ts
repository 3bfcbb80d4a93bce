import { allTests, projectOf } from './test/test-projects.js'
import config from './vitest.config.js'

/** The rooms that are mutated (see stryker.config.js), by their names below src: `server` for `server/http`. */
const rooms = (process.env.MUTATION ?? '').split(',').map((folder) => folder.split('/')[0])
/** Their tests, and the suite that every operation goes through. */
const covering = new RegExp(`^test/(${rooms.join('|')})/|^test/http-suite/interceptor\\.test`)
/** These wait on purpose, or send thousands of requests: each mutant that they cover would take seconds longer. */
const slow = /start-server|overload|provider-sign-out|attacks|forgery|cross-team|connection-limits/

/** The quick tests of the code that `npm run mutation` changes. */
export default {
  ...config,
  test: {
    ...config.test,
    projects: undefined,
    include: allTests().filter(
      (file) =>
        covering.test(file) && !slow.test(file) && (projectOf(file) === 'quick' || /http-suite/.test(file)),
    ),
    // A mutant for which a test waits in vain is killed by that test, and does not wait for Stryker's own time limit.
    testTimeout: 4_000,
    hookTimeout: 10_000,
    reporters: [],
  },
}
