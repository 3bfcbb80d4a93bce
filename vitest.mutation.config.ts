import { quickTests } from './test/quick-tests.js'
import config from './vitest.config.js'

/** The rooms that are mutated (see stryker.config.js). */
const rooms = process.env.MUTATION ?? 'handlers,contract,store,server'
/** Their tests, and the suite that every operation goes through. */
const covering = new RegExp(`^test/(${rooms.replaceAll(',', '|')})/|^test/http-suite/interceptor\\.test`)
/** These wait on purpose, for seconds; each mutant that they cover would wait as long. */
const waiting = /start-server|overload|provider-sign-out|attacks/

/** The quick tests of the code that `npm run mutation` changes. */
export default {
  ...config,
  test: {
    ...config.test,
    include: quickTests().filter((file) => covering.test(file) && !waiting.test(file)),
    reporters: [],
  },
}
