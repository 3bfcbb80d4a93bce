import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const packages: Record<string, Record<string, unknown>> = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
).packages

it('names no registry', () => {
  const addresses = Object.values(packages).map(({ resolved }) => resolved)
  expect(addresses.filter((address) => /^[a-z+]+:/.test(String(address ?? '')))).toEqual([])
})

it('lets npm ci continue if the driver of SQLite cannot be compiled', () => {
  expect(packages['node_modules/sqlite3']).toMatchObject({ optional: true })
})
