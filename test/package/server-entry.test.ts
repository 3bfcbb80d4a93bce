import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { secret } from '../server/server-harness.js'
import { folderForEachTest } from '../store/sqlite/sqlite-folder.js'

const root = resolve(import.meta.dirname, '../..')
const folder = folderForEachTest()

/** The declarations that an entry imports, directly or indirectly, by their path in dist. */
function declarationsOf(entry: string): string[] {
  const types = join(root, 'dist')
  const reached = new Set([join(types, entry)])
  for (const file of reached) {
    const text = readFileSync(file, 'utf8')
    for (const [, name] of text.matchAll(/\b(?:from|import)[ (]['"](\.[^'"]+)\.js['"]/g)) {
      reached.add(join(file, '..', `${name}.d.ts`))
    }
  }
  return [...reached].map((file) => relative(types, file)).sort()
}

test('the types of dashboard-api/server contain only public declarations', () => {
  expect(declarationsOf('server/server.d.ts').filter((file) => !file.startsWith('contract/'))).toEqual([
    'server/plugin-options.d.ts',
    'server/plugin.d.ts',
    'server/server.d.ts',
    'store/audit-log.d.ts',
    'store/state-file.d.ts',
    'store/store.d.ts',
  ])
})

test('the entry of the package starts a whole server over a database that it created', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  const built = pathToFileURL(join(root, manifest.exports['./server'].default)).href
  const { openStore, startServer } = (await import(built)) as typeof import('../../src/server/server.js')
  const database = folder.database()
  const env = { ...process.env }
  const store = await openStore(database)
  expect(process.env).toEqual(env)
  await store.addTeam({ id: 'team-a', name: 'A', orgCode: 'org_a' })
  await store.check()
  const other = await openStore(database)
  await store.close()
  await expect(store.check()).rejects.toThrow('is closed')
  await other.check()
  await other.close()
  const server = await startServer({ database, sessionSecret: secret, port: 0, logLevel: 'silent' })
  onTestFinished(() => server.close())
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${server.url}/v1/projects`)).json()).toMatchObject({ code: 'AUTH_REQUIRED' })
  await expect(startServer({ sessionSecret: 'short', port: -1 })).rejects.toThrow(
    /^port: .*\nsessionSecret: /s,
  )
  await expect(openStore('mysql://a/b')).rejects.toThrow(TypeError)
  await expect(openStore(':memory:')).rejects.toThrow("openStore cannot open ':memory:'")
})
