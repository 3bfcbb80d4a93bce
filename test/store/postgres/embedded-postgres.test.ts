import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { noPostgres } from './postgres-database.js'

test.skipIf(noPostgres)('the PostgreSQL of the tests does not change the exit code of a failed run', () => {
  const script = `import { importPostgres } from './test/programs/embedded-postgres.js'
    await importPostgres()
    process.exitCode = 3`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' })
})
