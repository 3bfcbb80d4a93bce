import { expect, test } from 'vitest'
import { quickTests } from './quick-tests.js'

test('the quick tests leave out those that start processes, and are most of the others', () => {
  const files = quickTests()
  expect(files).toContain('test/handlers/order-of-checks.test.ts')
  expect(files).not.toContain('test/package/package.test.ts')
  expect(files).not.toContain('test/store/postgres/postgres-store.test.ts')
  expect(files.length).toBeGreaterThan(80)
})
