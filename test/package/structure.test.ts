import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, reachableFrom, sourcesAt } from './import-graph.js'

const sources = sourcesAt('src').sort()
const isSource = (name: string) => name.startsWith('src/')

/** What the surfaces of the mock are made over, each from the earlier ones. */
const core = ['mock/state', 'mock/engine', 'mock/log', 'mock/controls']

/** What a server is made of, each from the earlier ones. */
const production = ['settings', 'cache', 'http', 'sessions', 'sign-in', 'observability'].map(
  (name) => `server/${name}`,
)

/** The folders of src, each with the folders from which it may import, including types. */
const rooms: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  conformance: ['contract'],
  store: ['contract'],
  'store/memory': ['contract', 'store'],
  'store/sqlite': ['contract', 'store'],
  'store/postgres': ['contract', 'store'],
  'store/open': ['contract', 'store', 'store/sqlite', 'store/postgres'],
  handlers: ['contract', 'store'],
  pages: ['contract', 'handlers'],
  'mock/state': ['contract', 'store', 'store/memory', 'handlers'],
  'mock/engine': ['contract', 'store', 'handlers', 'pages', 'mock/state'],
  'mock/log': ['contract', 'store', 'store/memory', 'pages', 'mock/state', 'mock/engine'],
  'mock/controls': ['contract', 'store', 'store/memory', 'mock/state', 'mock/engine', 'mock/log'],
  'mock/surfaces': ['contract', 'pages', ...core],
  http: ['contract', 'handlers', 'pages'],
  'mock/handlers': ['store', 'mock/engine'],
  'mock/http': ['contract', 'store', 'handlers', 'http', 'pages', 'mock', ...core, 'mock/handlers'],
  'mock/panel': [...core, 'mock/http'],
  mock: [
    'contract',
    'store',
    'handlers',
    'http',
    ...core,
    'mock/surfaces',
    'mock/handlers',
    'mock/http',
    'mock/panel',
  ],
  'server/settings': ['contract', 'store'],
  'server/cache': ['handlers'],
  'server/http': ['contract', 'store', 'handlers', 'http', 'server/settings', 'server/cache'],
  'server/sessions': ['contract', 'store', 'handlers', 'server/settings'],
  'server/sign-in': ['contract', 'store', 'pages', 'server/settings', 'server/http', 'server/sessions'],
  'server/observability': ['contract', 'store', 'http', 'server/http', 'server/sign-in'],
  server: ['contract', 'store', 'store/open', 'handlers', 'http', ...production],
  cli: [
    'contract',
    'store',
    'store/sqlite',
    'store/postgres',
    'store/open',
    'pages',
    'mock',
    ...core,
    'mock/surfaces',
    'mock/handlers',
    'mock/http',
    'server',
    'server/settings',
    'server/sessions',
    'server/sign-in',
    'conformance',
  ],
}

const roomOf = (file: string): string | undefined =>
  Object.keys(rooms)
    .filter((room) => file.startsWith(`src/${room}/`))
    .sort((a, b) => b.length - a.length)[0]

describe('the imports in src', () => {
  it.each(Object.entries(rooms))('of %s lead only to %j', (room, allowed) => {
    const files = sources.filter((file) => roomOf(file) === room)
    expect(files.length).toBeGreaterThan(0)
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => isSource(name) && ![room, ...allowed].includes(roomOf(name) ?? ''))
        .map((name) => `${file} -> ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('are listed here for every folder', () => {
    expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([])
  })

  it('are never circular', () => {
    expect(cyclesIn(new Map(sources.map((file) => [file, importsOf(file).filter(isSource)])))).toEqual([])
  })

  it('of the contract, and of the HTTP cases with their runner, need only the package zod', () => {
    for (const files of [
      sourcesAt('src/contract'),
      ['src/conformance/sections.ts', 'src/conformance/play.ts'],
    ]) {
      expect([...reachableFrom(files)].filter((name) => !isSource(name))).toEqual(['zod'])
    }
  })

  it('of the handlers lead to the interface of the store and to no framework', () => {
    const others = [...reachableFrom(sourcesAt('src/handlers'))].filter(
      (name) => !/^src\/(contract|handlers)\//.test(name),
    )
    expect(others.sort()).toEqual([
      'src/store/audit-log.ts',
      'src/store/mock-part.ts',
      'src/store/state-file.ts',
      'src/store/store.ts',
      'zod',
    ])
  })
})

describe('the names of files', () => {
  it('are unique in src, except that both databases use the same names', () => {
    const nameOf = (file: string) => basename(file).replace(/\.(d\.)?tsx?$/, '')
    const placeOf = (file: string) => dirname(file).replace(/store\/(sqlite|postgres)$/, 'store/*')
    const repeated = sources.filter((file) =>
      sources.some(
        (other) => other !== file && nameOf(other) === nameOf(file) && placeOf(other) !== placeOf(file),
      ),
    )
    expect(repeated).toEqual([])
  })

  it('mirror src: a test folder exists in src too, or holds a suite for several of its folders', () => {
    const suites = [
      'browser',
      'conformance/broken-servers',
      'docs',
      'drills',
      'examples',
      'oidc',
      'package',
      'package/consumer',
      'parity',
      'programs',
      'release',
      'release/generated-clients',
      'store/database-suite',
      'store/store-suite',
    ]
    const folders = new Set(sourcesAt('test').map((file) => dirname(file).replace(/^test\/?/, '')))
    const others = [...folders].filter((folder) => folder && !existsSync(`src/${folder}`))
    expect(others.sort()).toEqual(suites)
  })
})

describe('benchmarks and drills', () => {
  it('import modules of the build that have a source', () => {
    const folders = ['bench', 'bench/drills', 'bench/speed', 'bench/speed/sections', 'bench/speed/servers']
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    const named = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/(?:\.\.\/dist\/|\$\{dist\})([\w/-]+)\.js/g),
      ])
      .map(([, path]) => path)
      .filter((path) => !path?.startsWith('entries/'))
    expect(named).toContain('store/sql/write-queue')
    expect(named.filter((path) => !existsSync(`src/${path}.ts`))).toEqual([])
  })
})

/** One cycle for each file that can reach itself through files that are in no earlier cycle. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) cycles.push([...path.slice(start), file].join(' -> '))
    if (start >= 0 || done.has(file)) return
    for (const imported of graph.get(file) ?? []) visit(imported, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}

describe('the search for circular imports', () => {
  it('finds them', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['d', 'b']],
      ['d', []],
    ])
    expect(cyclesIn(graph)).toEqual(['b -> c -> b'])
  })
})
