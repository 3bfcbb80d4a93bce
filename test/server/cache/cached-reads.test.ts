import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadDriver } from '../../../src/store/load-driver.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { folderForEachTest } from '../../store/sqlite/sqlite-folder.js'
import { createTestApp, demo, hour, minute } from '../server-harness.js'
import { unchangedStore } from './unchanged-store.js'

const folder = folderForEachTest()

type Done = (error: Error | null) => void
type Backup = { step(pages: number, done: Done): void; finish(done: Done): void }

/** Copies a database over another one, as `.restore` in the SQLite shell does. */
async function copyOver(source: string, target: string): Promise<void> {
  const promisify = (call: (done: Done) => void) =>
    new Promise<void>((resolve, reject) => call((error) => (error ? reject(error) : resolve())))
  const db = new (loadDriver('sqlite3').Database)(source)
  let backup: Backup | undefined
  await promisify((done) => {
    backup = (db as unknown as { backup(target: string, done: Done): Backup }).backup(target, done)
  })
  await promisify((done) => backup?.step(-1, done))
  await promisify((done) => backup?.finish(done))
  await promisify((done) => db.close(done))
}

/** The app over the demo fixture in a database, as in production. */
async function serveDatabase() {
  const store = await folder.openStore()
  await store.load({ ...demo(), sessions: [] })
  const listProjects = vi.spyOn(store, 'listProjects')
  const served = createTestApp({ store })
  const { cookie } = await served.signIn()
  const origin = await served.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => served.app.close())
  const get = async (path: string, headers: Record<string, string> = { cookie }) => {
    const response = await fetch(`${origin}${path}`, { headers })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const create = async (name: string) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify({ name }) }
    return (await fetch(`${origin}/v1/projects`, request)).status
  }
  const project = (await store.listProjects('team-acme')).projects[0]
  if (!project) throw new Error('the fixture has no project of team-acme')
  listProjects.mockClear()
  return { ...served, store, listProjects, get, create, project, cookie }
}

describe('a cached response', () => {
  test('is never older than a commit of another process before the request', async () => {
    const { get, store, listProjects, project } = await serveDatabase()
    const script = fileURLToPath(new URL('../../store/sqlite/sqlite-updates.js', import.meta.url))
    const child = spawn(process.execPath, [script, folder.database(), project.teamId, project.id, '60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let committed = 0
    createInterface(child.stdout).on('line', (line) => {
      committed = Number(line)
    })

    let reads = 0
    const stale: string[] = []
    const read = async () => {
      while (child.exitCode === null) {
        const before = committed
        const { body } = await get('/v1/projects')
        const { status } = body.projects.find(({ id }: { id: string }) => id === project.id)
        reads += 1
        if (before > 0 && !(Number(status) >= before)) stale.push(`${status} after ${before}`)
      }
    }
    const write = async () => {
      const [other] = (await store.listProjects('team-globex')).projects
      while (child.exitCode === null) {
        await store.updateProject('team-globex', other?.id ?? '', { status: String(reads) })
        await store.addToWaitlist({ email: `${reads}@example.com`, createdAt: '2026-03-01T12:00:00.000Z' })
      }
    }
    await Promise.all([...Array.from({ length: 8 }, read), write()])
    expect(await ended).toEqual([0, null])
    expect(committed).toBe(60)
    expect(stale).toEqual([])
    expect(reads).toBeGreaterThan(200)
    expect(listProjects.mock.calls.length).toBeLessThan(reads / 2)
  })

  test('stays valid when another team changes, or data that no response shows', async () => {
    const { store, get, clock, listProjects } = await serveDatabase()
    await get('/v1/projects')
    const time = clock.now().toISOString()
    await store.addToWaitlist({ email: 'new@example.com', createdAt: time })
    await store.touchSession((await store.listSessions())[0]?.id ?? '', time)
    const [other] = (await store.listProjects('team-globex')).projects
    await store.updateProject('team-globex', other?.id ?? '', { status: 'paused' })
    expect((await get('/v1/projects')).status).toBe(200)
    expect(listProjects.mock.calls).toEqual([['team-acme'], ['team-globex']])
  })

  test('is invalidated when its user, its team, its permissions or its session change', async () => {
    const { get } = await serveDatabase()
    const other = await folder.openConnection()
    const changes: [sql: string, shows: object][] = [
      ["UPDATE users SET given_name = 'Augusta'", { user: { givenName: 'Augusta' } }],
      [`UPDATE sessions SET permissions = '["create:projects"]'`, { permissions: ['create:projects'] }],
      ["UPDATE projects SET team_id = 'team-globex'", { projects: [] }],
      ["UPDATE teams SET org_code = 'org_other' WHERE id = 'team-acme'", { teamId: '' }],
      ["UPDATE sessions SET revoked_at = '2026-03-01T12:00:00.000Z'", { error: expect.any(String) }],
    ]
    expect((await get('/v1/auth/me')).status).toBe(200)
    for (const [sql, shows] of changes) {
      await other.exec(sql)
      expect((await get('/v1/auth/me')).body).toMatchObject(shows)
    }
  })

  test('is invalidated when another database is copied over this one', async () => {
    const { store, get } = await serveDatabase()
    const before = folder.path('before.db')
    await (await folder.openConnection()).run('VACUUM INTO $1', before)
    const name = async () =>
      (await get('/v1/projects')).body.projects.map((project: { status: string }) => project.status)
    const [project] = (await store.listProjects('team-acme')).projects
    const statuses = await name()
    for (const status of ['one', 'two']) await store.updateProject('team-acme', project?.id ?? '', { status })
    expect(await name()).not.toEqual(statuses)
    await copyOver(before, folder.database())
    expect(await name()).toEqual(statuses)
  })

  test('of a session is invalidated when a permission for writes changes', async () => {
    const { store, create, clock } = await serveDatabase()
    const caller = vi.spyOn(store, 'caller')
    expect([await create('One'), await create('Two')]).toEqual([201, 201])
    expect(caller).toHaveBeenCalledTimes(2)
    const other = await folder.openConnection()
    await other.exec("UPDATE sessions SET permissions = '[]'")
    expect(await create('Three')).toBe(403)
    await other.exec(`UPDATE sessions SET revoked_at = '${clock.now().toISOString()}'`)
    expect(await create('Four')).toBe(401)
  })

  test('of a team is not served to a caller whose session was revoked, or who moved to another team', async () => {
    const { get, signIn, store, clock, listProjects } = await serveDatabase()
    const { cookie: revoked, session } = await signIn()
    const { cookie: moved, session: movedSession } = await signIn()
    for (const cookie of [revoked, moved]) expect((await get('/v1/projects', { cookie })).status).toBe(200)
    const { body } = await get('/v1/projects')
    expect(listProjects).toHaveBeenCalledTimes(1)
    await store.revokeSession(session.id, clock.now().toISOString())
    expect((await get('/v1/projects', { cookie: revoked })).status).toBe(401)
    const other = await folder.openConnection()
    await other.exec("UPDATE teams SET org_code = 'moved' WHERE org_code = 'org_acme'")
    await other.exec("UPDATE teams SET org_code = 'org_acme' WHERE org_code = 'org_globex'")
    expect(movedSession.orgCode).toBe('org_acme')
    expect((await get('/v1/projects', { cookie: moved })).body).not.toEqual(body)
  })
})

describe('while the store does not change,', () => {
  const serve = () => {
    const store = unchangedStore(createMemoryStore(demo()))
    return { ...createTestApp({ store }), touch: vi.spyOn(store, 'touchSession') }
  }

  test('an expired session is refused', async () => {
    const { app, signIn, clock } = serve()
    const { cookie } = await signIn({ ttlMs: 20_000 })
    const status = async () => (await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode
    expect(await status()).toBe(200)
    clock.advance(19_999)
    expect(await status()).toBe(200)
    clock.advance(1)
    expect(await status()).toBe(401)
  })

  test('the use of a session is saved nevertheless', async () => {
    const { app, signIn, clock, touch } = serve()
    const { cookie } = await signIn({ ttlMs: hour })
    for (let i = 0; i < 6; i += 1) {
      await app.inject({ url: '/v1/projects', headers: { cookie } })
      clock.advance(minute / 2)
    }
    expect(touch).toHaveBeenCalledTimes(2)
  })
})
