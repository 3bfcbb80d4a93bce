import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { chunkOf, chunks, chunkText, sourcesOf } from './executable-chunks.js'

// Mock sign-in must not exist in production, not even disabled. These tests follow all imports of the built files, static and
// dynamic, of files and packages. Built files have no imports of types. In the bundled executable, comments name the files in
// each chunk.

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const name = (file: string) => relative(dist, file).split(sep).join('/')

/** The specifiers that a built file imports or re-exports, with statements or calls. */
function specifiersOf(source: string): string[] {
  const statement = /^(?:import|export)\b[^'"`;=]*?['"]([^'"]+)['"]/gm
  const call = /\b(?:import|require|resolve)\s*\(\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`]+)['"`]/g
  return [...source.matchAll(statement), ...source.matchAll(call)].map(([, specifier]) => specifier ?? '')
}

/** Every file of dist/ and every package that an entry imports, directly or not, with the path to it. */
function reachableFrom(entry: string): Map<string, string[]> {
  const paths = new Map<string, string[]>([[entry, [entry]]])
  const packages = new Set<string>()
  for (const [file, path] of paths) {
    if (packages.has(file) || !file.endsWith('.js')) continue
    const built = resolve(dist, file)
    for (const specifier of specifiersOf(readFileSync(built, 'utf8'))) {
      const isFile = specifier.startsWith('.')
      const next = isFile ? name(resolve(dirname(built), specifier)) : specifier
      if (!isFile) packages.add(next)
      if (!paths.has(next)) paths.set(next, [...path, next])
    }
  }
  return paths
}

const isMock = (reached: string) =>
  /^(mock\/|store\/memory\/memory-store\.js$|msw(\/|$)|@mswjs\/|@mswjs$)/.test(reached)

describe('the built production code', () => {
  it.each([
    'server/start-server.js',
    'server/server.js',
    'cli/production/serve-command.js',
    'cli/production/session-issue-command.js',
  ])('from %s imports nothing of the mock', (entry) => {
    expect(existsSync(resolve(dist, entry)), `dist/${entry} is missing: run "npm run build"`).toBe(true)
    const found = [...reachableFrom(entry)]
      .filter(([reached]) => isMock(reached))
      .map(([, path]) => path.join(' -> '))
    expect(found).toEqual([])
  })

  it('is searched completely', () => {
    const server = reachableFrom('server/start-server.js')
    for (const known of [
      'server/app.js',
      'handlers/create-project.js',
      'store/sqlite/sqlite-database.js',
      'fastify',
      'zod',
    ]) {
      expect([...server.keys()]).toContain(known)
    }
    // Through a dynamic import.
    expect([...reachableFrom('cli/production/serve-command.js').keys()]).toContain('server/start-server.js')
  })

  it('differs from the dev server, in which the same search finds the mock', () => {
    const found = [...reachableFrom('mock/http/dev-server.js').keys()].filter(isMock)
    expect(found).toEqual(
      expect.arrayContaining(['mock/mock-api.js', 'store/memory/memory-store.js', 'msw', '@mswjs/data']),
    )
  })
})

/** Every source file in the chunks that a chunk imports, directly or not, and every package that they import. */
function sourcesReachableFrom(entry: string): Set<string> {
  const commandLine = chunkOf('dist/cli/main.js')
  const reached = new Set([entry])
  const packages = new Set<string>()
  for (const chunk of reached) {
    const text = chunkText(chunk)
    // The command line loads each command with import(), including those of the mock. A command does not use the others.
    const followed = chunk === commandLine ? text.replaceAll('import(', '') : text
    for (const specifier of specifiersOf(followed)) {
      if (specifier.startsWith('./')) reached.add(specifier.slice(2))
      else packages.add(specifier)
    }
  }
  return new Set([...[...reached].flatMap(sourcesOf), ...packages])
}

const isMockSource = (source: string) => isMock(source.replace(/^dist\//, '').replace(/^node_modules\//, ''))

describe('the executable', () => {
  it.each([
    'cli/production/serve-command.js',
    'cli/production/config-command.js',
    'cli/production/seed-command.js',
    'cli/production/team-command.js',
    'server/sessions/issue-session.js',
  ])('loads nothing of the mock for %s', (file) => {
    const sources = [...sourcesReachableFrom(chunkOf(`dist/${file}`))]
    expect(sources.filter(isMockSource)).toEqual([])
  })

  it('is searched completely', () => {
    const sources = [...sourcesReachableFrom(chunkOf('dist/cli/production/serve-command.js'))]
    for (const known of [
      'dist/server/app.js',
      'dist/handlers/create-project.js',
      'dist/store/sqlite/sqlite-database.js',
      'node_modules/zod/v4/core/core.js',
      'fastify',
      'openid-client',
    ]) {
      expect(sources).toContain(known)
    }
  })

  it('contains no package that handles network traffic in production, and lists its packages with their licences', () => {
    const files = chunks().flatMap(sourcesOf)
    const bundled = new Set(
      files.flatMap((file) => file.match(/(?<=.*node_modules\/)(?:@[^/]+\/)?[^/]+/) ?? []),
    )
    // The checks of requests, in a form that loads quickly.
    expect(Object.keys(manifest.dependencies).filter((name) => bundled.has(name))).toEqual(['zod'])
    const licenses = readFileSync(resolve(dist, 'executable/LICENSES.txt'), 'utf8')
    expect([...bundled].filter((name) => !licenses.includes(`Name: ${name}\n`))).toEqual([])
    expect(bundled).toContain('commander')
  })

  it('loads the mock for dev, and the same search finds it', () => {
    const sources = [...sourcesReachableFrom(chunkOf('dist/cli/dev-command.js'))]
    expect(sources.filter(isMockSource)).toEqual(
      expect.arrayContaining([
        'dist/mock/http/dev-server.js',
        'dist/mock/mock-api.js',
        'dist/store/memory/memory-store.js',
      ]),
    )
    expect(
      sources.some((source) => isMockSource(source) && source.includes('node_modules/@mswjs/data/')),
    ).toBe(true)
  })
})
