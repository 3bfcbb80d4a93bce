import { defineConfig } from 'vitest/config'
import { quickTests } from './test/quick-tests.js'
import { testProjects } from './test/test-projects.js'
import config from './vitest.config.js'

/** The tests for the inner loop: no browser, no packing, no processes. */
export default defineConfig({ ...config, test: { ...config.test, projects: testProjects(quickTests()) } })
