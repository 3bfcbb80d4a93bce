import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

// The configurations of the linters, in the repository, explain the disabled rules.
test.each([
  ['Redocly', 'redocly', ['lint']],
  ['Spectral', 'spectral', ['lint', '--fail-severity=hint']],
])('openapi.json passes the recommended rules of %s', async (_, name, args) => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const program = `node_modules/.bin/${name}`
  const result = await run(program, [...args, 'openapi.json'], { env }).catch((error) => error)
  expect(result.code ?? 0, `${result.stdout}${result.stderr}`).toBe(0)
})
