import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { secret } from '../server/server-harness.js'
import { folderForEachTest } from '../store/sqlite/sqlite-folder.js'

const root = resolve(import.meta.dirname, '../..')
const folder = folderForEachTest()

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
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${server.url}/v1/projects`)).json()).toMatchObject({ code: 'AUTH_REQUIRED' })
  await expect(startServer({ sessionSecret: 'short', port: -1 })).rejects.toThrow(
    /^port: .*\nsessionSecret: /s,
  )
  await expect(openStore('mysql://a/b')).rejects.toThrow(TypeError)
  await expect(openStore(':memory:')).rejects.toThrow("openStore cannot open ':memory:'")
})
