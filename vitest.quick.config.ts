import { defineConfig } from 'vitest/config'
import { quickTests } from './test/quick-tests.js'
import { testProjects } from './test/test-projects.js'
import config from './vitest.config.js'

/** These send thousands of requests, or megabytes: seconds each. */
const long =
  /verify\/(broken-servers|verify-service)|parity\/parity|cache\/large-teams|sqlite\/(remove-records|sqlite-copy)|examples\//

/** The tests for the inner loop: no browser, no packing, no processes. */
const tests = quickTests().filter((file) => !long.test(file))

export default defineConfig({ ...config, test: { ...config.test, projects: testProjects(tests) } })
