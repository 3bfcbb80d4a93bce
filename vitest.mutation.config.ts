import { quickTests } from './test/quick-tests.js'
import config from './vitest.config.js'

/** The rooms that are mutated (see stryker.config.js). */
const rooms = process.env.MUTATION ?? 'handlers,contract,store,server'
/** Their tests, and the suite that every operation goes through. */
const covering = new RegExp(`^test/(${rooms.replaceAll(',', '|')})/|^test/http-suite/interceptor\\.test`)
/** These wait on purpose, or send thousands of requests: each mutant that they cover would take seconds longer. */
const slow =
  /start-server|overload|provider-sign-out|attacks|forgery|cross-team|large-teams|connection-limits/

/** The quick tests of the code that `npm run mutation` changes. */
export default {
  ...config,
  test: {
    ...config.test,
    include: quickTests().filter((file) => covering.test(file) && !slow.test(file)),
    reporters: [],
  },
}
