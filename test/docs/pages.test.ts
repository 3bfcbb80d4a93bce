import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { brokenLinks } from '../../scripts/broken-links.js'
import { cases } from '../../src/conformance/sections.js'
import { knownVersion as knownPostgresVersion } from '../../src/store/postgres/schema-version.js'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'examples/cluster/README.md',
  'examples/dashboard/README.md',
  'examples/playwright/README.md',
  'bench/README.md',
  ...docs.map((name) => `docs/${name}`),
]

/** The handler that docs/contributing.md adds as an example. */
const exampleHandler = 'src/handlers/get-project.ts'

const read = (page: string) => readFileSync(join(root, page), 'utf8')
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match)

describe('the pages', () => {
  it.each(pages)('%s links to pages and sections that exist', (page) => {
    expect(brokenLinks(root, page)).toEqual([])
  })

  // The changelog names files of earlier versions.
  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))(
    '%s names files and scripts that exist',
    (page) => {
      const files = matches(read(page), /`((?:src|test|bench|scripts|fixtures|deploy)\/[\w./-]+)`/g)
      const folders = [root, join(root, dirname(page))]
      const missing = files.filter((file) => !folders.some((folder) => existsSync(join(folder, file))))
      expect(missing.filter((file) => file !== exampleHandler)).toEqual([])
      const names = matches(read(page), /npm run ([\w:-]+)/g)
      expect(names.filter((name) => !(name in scripts))).toEqual([])
    },
  )

  it('the changelog describes what each release does to data', () => {
    const [, ...sections] = read('CHANGELOG.md').split(/^## /m)
    const releases = sections.filter((section) => !section.startsWith('[Unreleased]'))
    const data = releases.map((release) => /^### Data\n\n([^#]+)/m.exec(release)?.[1] ?? '')
    expect(data.every((text) => /SQLite version \d/.test(text))).toBe(true)
    expect(data[0]).toContain(`SQLite version ${knownVersion} `)
    expect(data[0]).toContain(`PostgreSQL version ${knownPostgresVersion} `)
  })

  it('the ledger of decisions names a test, a drill or a requirement of the suite in each row', () => {
    const rows = matches(read('docs/decisions.md'), /^\|(.*)\|$/gm).filter((row) => !/^-|\| test $/.test(row))
    const proofs = rows.map((row) => row.split('|').at(-1) ?? '')
    expect(rows.length).toBeGreaterThan(80)
    expect(
      rows.filter((_, i) => !/"[^"]+"|`test\/[^`]+`|`npm run drills -- [\w-]+`/.test(proofs[i] ?? '')),
    ).toEqual([])
    const quoted = proofs.flatMap((proof) => matches(proof, /"([^"]+)"/g))
    expect(quoted.filter((name) => !cases.some(({ requirement }) => requirement === name))).toEqual([])
    const drills = readdirSync(join(root, 'bench/drills')).filter((file) => file.endsWith('.js'))
    const sources = drills.map((file) => read(`bench/drills/${file}`)).join()
    const drilled = proofs.flatMap((proof) => matches(proof, /`npm run drills -- ([\w-]+)`/g))
    // A drill over both databases has a name for each.
    const names = (name: string) => [name, name.replace(/-(sqlite|postgres)$/, '')]
    expect(drilled.filter((name) => !names(name).some((each) => sources.includes(`'${each}'`)))).toEqual([])
  })
})
