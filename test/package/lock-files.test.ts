import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'

const files = execFileSync('git', ['ls-files', '*package-lock.json'], { encoding: 'utf8' }).trim().split('\n')
const packagesOf = (file: string): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(file, 'utf8')).packages

test.each(files)('%s names no registry', (file) => {
  const addresses = Object.values(packagesOf(file)).map(({ resolved }) => resolved)
  expect(addresses.filter((address) => /^[a-z+]+:/.test(String(address ?? '')))).toEqual([])
})

it('lets npm ci go on where the driver of SQLite cannot be compiled', () => {
  expect(packagesOf('package-lock.json')['node_modules/sqlite3']).toMatchObject({ optional: true })
})
