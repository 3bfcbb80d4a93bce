import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chunkOf, chunkText, sourcesOf } from './executable-chunks.js'

// Mock sign-in must not exist in production, switched off or not. What is walked here are the built files, all
// their imports: static and dynamic, of files and of packages. A type leaves no import behind. The executable is
// bundled: of its chunks, the maps tell what is in them.

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const name = (file: string) => relative(dist, file).split(sep).join('/')

/** The specifiers that a built file imports from, or re-exports from, by a statement or a call. */
function specifiersOf(source: string): string[] {
  const statement = /^(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"]/gm
  const call = /\b(?:import|require|resolve)\s*\(\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`]+)['"`]/g
  return [...source.matchAll(statement), ...source.matchAll(call)].map(([, specifier]) => specifier ?? '')
}

/** Every file of dist/ and every package that can be reached from an entry, with the way there. */
function reachableFrom(entry: string): Map<string, string[]> {
  const ways = new Map<string, string[]>([[entry, [entry]]])
  for (const [file, way] of ways) {
    if (!file.endsWith('.js')) continue
    const path = resolve(dist, file)
    for (const specifier of specifiersOf(readFileSync(path, 'utf8'))) {
      const next = specifier.startsWith('.') ? name(resolve(dirname(path), specifier)) : specifier
      if (!ways.has(next)) ways.set(next, [...way, next])
    }
  }
  return ways
}

const isMock = (reached: string) =>
  /^(mock\/|store\/memory\/memory-store\.js$|msw(\/|$)|@mswjs\/|@mswjs$)/.test(reached)

describe('the built production code', () => {
  it.each(['server/start-server.js', 'cli/commands/serve.js', 'cli/commands/session/issue.js'])(
    'from %s reaches nothing of the mock',
    (entry) => {
      expect(existsSync(resolve(dist, entry)), `dist/${entry} is missing: run "npm run build"`).toBe(true)
      const ways = reachableFrom(entry)
      const found = [...ways].filter(([reached]) => isMock(reached)).map(([, way]) => way.join(' -> '))
      expect(found).toEqual([])
    },
  )

  it('is walked whole: what is known to be there is found', () => {
    const server = reachableFrom('server/start-server.js')
    for (const known of [
      'server/app.js',
      'handlers/create-project.js',
      'store/sqlite/sqlite-store.js',
      'fastify',
      'zod',
    ]) {
      expect([...server.keys()]).toContain(known)
    }
    // Through a dynamic import.
    expect([...reachableFrom('cli/commands/serve.js').keys()]).toContain('server/start-server.js')
  })

  it('would be told from the mock, whose entries do reach it', () => {
    const ways = [...reachableFrom('mock/http/dev-server.js').keys()].filter(isMock)
    expect(ways).toEqual(
      expect.arrayContaining(['mock/core/mock-api.js', 'store/memory/memory-store.js', 'msw', '@mswjs/data']),
    )
  })
})

/** Every source in the chunks that a chunk leads to. */
function sourcesReachableFrom(entry: string): Set<string> {
  const commandLine = chunkOf('src/cli/main.ts')
  const reached = new Set([entry])
  for (const chunk of reached) {
    const text = chunkText(chunk)
    // What the command line imports by calls are all commands, of the mock too, and none of them is meant here.
    const walked = chunk === commandLine ? text.replaceAll('import(', '') : text
    for (const specifier of specifiersOf(walked)) {
      if (specifier.startsWith('./')) reached.add(specifier.slice(2))
    }
  }
  return new Set([...reached].flatMap(sourcesOf))
}

const isMockSource = (source: string) =>
  isMock(
    source
      .replace(/^src\//, '')
      .replace(/\.ts$/, '.js')
      .replace(/^node_modules\//, ''),
  )

describe('the executable', () => {
  it.each(['serve', 'issue-session', 'config', 'seed', 'sessions'])(
    'has nothing of the mock in what %s loads',
    (action) => {
      const sources = [...sourcesReachableFrom(chunkOf(`src/cli/actions/${action}.ts`))]
      expect(sources).toContain('src/cli/main.ts')
      expect(sources.filter(isMockSource)).toEqual([])
    },
  )

  it('is walked whole: what is known to be there is found', () => {
    const sources = [...sourcesReachableFrom(chunkOf('src/cli/actions/serve.ts'))]
    for (const known of [
      'src/server/app.ts',
      'src/handlers/create-project.ts',
      'src/store/sqlite/sqlite-store.ts',
      'node_modules/fastify/fastify.js',
      'node_modules/zod/v4/core/core.js',
    ]) {
      expect(sources).toContain(known)
    }
  })

  it('would be told from the mock', () => {
    const sources = [...sourcesReachableFrom(chunkOf('src/cli/actions/dev.ts'))]
    expect(sources.filter(isMockSource)).toEqual(
      expect.arrayContaining([
        'src/mock/http/dev-server.ts',
        'src/mock/core/mock-api.ts',
        'src/store/memory/memory-store.ts',
      ]),
    )
    expect(
      sources.some((source) => isMockSource(source) && source.includes('node_modules/@mswjs/data/')),
    ).toBe(true)
  })
})
