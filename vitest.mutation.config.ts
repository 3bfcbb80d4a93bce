import { defineConfig } from 'vitest/config'
import { quickTests } from './test/quick-tests.js'
import config from './vitest.config.js'

const mutated = /^test\/(contract|handlers|store|server|http-suite|pages)\//

/** The quick tests of the code that `npm run mutation` changes. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: quickTests().filter((file) => mutated.test(file)), reporters: [] },
})
