import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../../bench/fuzz/run.js', import.meta.url))

/** Runs the fuzzer, and gives its report of each mode; a run with findings prints them before it fails. */
async function fuzz(...args: string[]) {
  const run = promisify(execFile)(process.execPath, [script, ...args])
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('5,000 mutated requests with a seed find no broken answer of production, and do not stop it', {
  timeout: 120_000,
}, async () => {
  const [report] = await fuzz('--mode', 'production', '--requests', '5000', '--seed', '1')
  expect(report).toMatchObject({ mode: 'production', faults: 0, findings: [] })
  expect(report.answers).toBeGreaterThan(2_500)
})

test('2,000 mutated requests find no answer of the mock without an error body', {
  timeout: 120_000,
}, async () => {
  const [report] = await fuzz('--mode', 'mock', '--requests', '2000', '--seed', '1')
  expect(report).toMatchObject({ mode: 'mock', faults: 0, findings: [] })
  expect(report.answers).toBeGreaterThan(1_300)
})

test('a server with a bug in its parser is found', { timeout: 120_000 }, async () => {
  const [report] = await fuzz('--mode', 'faulty', '--requests', '2000', '--seed', '1')
  expect(report.faults).toBeGreaterThan(0)
})
