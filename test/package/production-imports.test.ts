import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { chunkOf, chunks, chunkText, sourcesOf } from './executable-chunks.js'

// Mock sign-in must not exist in production, not even disabled. These tests follow all imports of the executable, static and
// dynamic, of files and packages. Comments of the bundler name the files in each chunk.

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** The specifiers that a built file imports or re-exports, with statements or calls. */
function specifiersOf(source: string): string[] {
  const statement = /^(?:import|export)\b[^'"`;=]*?['"]([^'"]+)['"]/gm
  const call = /\b(?:import|require|resolve)\s*\(\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`]+)['"`]/g
  return [...source.matchAll(statement), ...source.matchAll(call)].map(([, specifier]) => specifier ?? '')
}

/** Every source file in the chunks that a chunk imports, directly or not, and every package that they import. */
function sourcesReachableFrom(entry: string): Set<string> {
  const commandLine = chunkOf('src/cli/main.ts')
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

const isMock = (reached: string) =>
  /^(src\/mock\/|src\/store\/memory\/memory-store\.ts$|(node_modules\/)?(msw(\/|$)|@mswjs\/|@mswjs$))/.test(
    reached,
  )

describe('the executable', () => {
  it.each([
    'server/server.ts',
    'server/start-server.ts',
    'cli/production/serve-command.ts',
    'cli/production/config-command.ts',
    'cli/production/seed-command.ts',
    'cli/production/team-command.ts',
    'server/sessions/issue-session.ts',
  ])('loads nothing of the mock for %s', (file) => {
    const sources = [...sourcesReachableFrom(chunkOf(`src/${file}`))]
    expect(sources.filter(isMock)).toEqual([])
  })

  it('is searched completely', () => {
    const sources = [...sourcesReachableFrom(chunkOf('src/cli/production/serve-command.ts'))]
    for (const known of [
      'src/server/app.ts',
      'src/handlers/create-project.ts',
      'src/store/sqlite/sqlite-database.ts',
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

  it('has of zod only the messages in English', () => {
    const languages = chunks()
      .flatMap(sourcesOf)
      .filter((source) => source.includes('/zod/v4/locales/'))
    expect(languages).toEqual(['node_modules/zod/v4/locales/en.js'])
  })

  it('has what @mswjs/data uses of packages, not the whole of each', () => {
    const files = chunks().flatMap(sourcesOf)
    const ofPackage = (name: string) => files.filter((file) => file.startsWith(`node_modules/${name}/`))
    expect(['graphql', 'pluralize', 'tldts'].flatMap(ofPackage)).toEqual([])
    expect(ofPackage('date-fns')).toContain('node_modules/date-fns/esm/compareAsc/index.js')
    expect(ofPackage('date-fns').length).toBeLessThan(10)
    expect(ofPackage('lodash')).toContain('node_modules/lodash/isFunction.js')
    expect(ofPackage('lodash')).not.toContain('node_modules/lodash/lodash.js')
  })

  it('loads the mock for dev, and the same search finds it', () => {
    const sources = [...sourcesReachableFrom(chunkOf('src/cli/dev-command.ts'))]
    expect(sources.filter(isMock)).toEqual(
      expect.arrayContaining([
        'src/mock/http/dev-server.ts',
        'src/mock/mock-api.ts',
        'src/store/memory/memory-store.ts',
      ]),
    )
    expect(sources.some((source) => isMock(source) && source.includes('node_modules/@mswjs/data/'))).toBe(
      true,
    )
  })
})
