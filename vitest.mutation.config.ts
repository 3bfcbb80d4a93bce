import { defineConfig } from 'vitest/config'
import { quickTests } from './test/quick-tests.js'
import config from './vitest.config.js'

const mutated = /^test\/(contract|handlers|store|server|pages)\/|^test\/http-suite\/(interceptor|suite)\.test/
/** These wait on purpose, for seconds; each mutant that they cover would wait as long. */
const waiting = /start-server|overload|provider-sign-out|attacks/

/** The quick tests of the code that `npm run mutation` changes. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: quickTests().filter((file) => mutated.test(file) && !waiting.test(file)), reporters: [] },
})
