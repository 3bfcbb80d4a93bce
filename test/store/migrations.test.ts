import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { knownVersion as knownPostgresVersion } from '../../src/store/postgres/schema-version.js'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'

const filesOf = (kind: string) => readdirSync(new URL(`../../migrations/${kind}/`, import.meta.url)).sort()

test('the files of the migrations are numbered from 1 to the version that this program knows', () => {
  const numbers = (last: number) => Array.from({ length: last }, (_, i) => i + 1)
  const found = ['postgres', 'sqlite'].map((kind) =>
    filesOf(kind).map((file) => Number(/^(\d{4})-[a-z-]+\.sql$/.exec(file)?.[1])),
  )
  expect(found).toEqual([numbers(knownPostgresVersion), numbers(knownVersion)])
})
