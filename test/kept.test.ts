import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Answer } from '../src/server/answer.js'
import { createKeeping } from '../src/server/kept.js'
import { createMemoryStore } from '../src/store/memory-store.js'
import { shareNext } from '../src/store/share-next.js'
import { createTestApp, demo, hour, minute } from './server-harness.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

/** The app over the demo in a database, as production has it. */
async function serveDatabase() {
  const store = await folder.openStore()
  await store.load({ ...demo(), sessions: [] })
  const listProjects = vi.spyOn(store, 'listProjects')
  const served = createTestApp({ store, changes: store.changes })
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
  const project = (await store.listProjects('team-acme'))[0]
  if (!project) throw new Error('the fixture has no project of team-acme')
  listProjects.mockClear()
  return { ...served, store, listProjects, get, create, project, cookie }
}

describe('a kept answer', () => {
  test('is never older than a commit of another process before the request', {
    timeout: 60_000,
  }, async () => {
    const { get, store, listProjects, project } = await serveDatabase()
    const script = fileURLToPath(new URL('./sqlite-updates.js', import.meta.url))
    const child = spawn(process.execPath, [script, folder.database(), project.teamId, project.id, '60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let committed = 0
    createInterface(child.stdout).on('line', (line) => {
      committed = Number(line)
    })

    let asked = 0
    const stale: string[] = []
    const ask = async () => {
      while (child.exitCode === null) {
        const before = committed
        const { body } = await get('/v1/projects')
        const { status } = body.projects.find(({ id }: { id: string }) => id === project.id)
        asked += 1
        if (before > 0 && !(Number(status) >= before)) stale.push(`${status} after ${before}`)
      }
    }
    const write = async () => {
      const [other] = await store.listProjects('team-globex')
      while (child.exitCode === null) {
        await store.updateProject('team-globex', other?.id ?? '', { status: String(asked) })
        await store.addToWaitlist({ email: `${asked}@example.com`, createdAt: '2026-03-01T12:00:00.000Z' })
      }
    }
    await Promise.all([...Array.from({ length: 8 }, ask), write()])
    expect(await ended).toEqual([0, null])
    expect(committed).toBe(60)
    expect(stale).toEqual([])
    expect(asked).toBeGreaterThan(200)
    expect(listProjects.mock.calls.length).toBeLessThan(asked / 2)
  })

  test('is never older than what this process wrote', async () => {
    const { store, get, project, listProjects } = await serveDatabase()
    const since = vi.spyOn(store.changes, 'since')
    for (const status of ['one', 'two', 'three']) {
      await store.updateProject(project.teamId, project.id, { status })
      for (let i = 0; i < 3; i += 1) {
        expect((await get('/v1/projects')).body.projects).toContainEqual({ ...project, status })
      }
    }
    expect(listProjects).toHaveBeenCalledTimes(3)
    expect(since).toHaveBeenCalledTimes(1)
  })

  test('outlives what changes in no answer, and in those of another team', async () => {
    const { store, get, clock, listProjects } = await serveDatabase()
    await get('/v1/projects')
    const time = clock.now().toISOString()
    await store.addToWaitlist({ email: 'new@example.com', createdAt: time })
    await store.touchSession((await store.listSessions())[0]?.id ?? '', time)
    const [other] = await store.listProjects('team-globex')
    await store.updateProject('team-globex', other?.id ?? '', { status: 'paused' })
    expect((await get('/v1/projects')).status).toBe(200)
    expect(listProjects.mock.calls).toEqual([['team-acme'], ['team-globex']])
  })

  test('is made anew once its user, its team or its permissions are others', async () => {
    const { store, get, cookie } = await serveDatabase()
    const other = await folder.openHandle()
    const changes: [sql: string, shows: object][] = [
      ["UPDATE users SET given_name = 'Augusta'", { user: { givenName: 'Augusta' } }],
      [`UPDATE sessions SET permissions = '["create:projects"]'`, { permissions: ['create:projects'] }],
      ["UPDATE projects SET team_id = 'team-globex'", { projects: [] }],
      ["UPDATE teams SET org_code = 'org_other' WHERE id = 'team-acme'", { teamId: '' }],
    ]
    expect((await get('/v1/auth/me')).status).toBe(200)
    for (const [sql, shows] of changes) {
      await other.exec(sql)
      expect((await get('/v1/auth/me')).body).toMatchObject(shows)
    }
    await store.removeExpiredSessions('9999-01-01T00:00:00.000Z')
    expect((await get('/v1/auth/me', { cookie })).status).toBe(401)
  })

  test('is not of the database before another was copied over it', async () => {
    const { store, get } = await serveDatabase()
    const before = folder.path('before.db')
    await (await folder.openHandle()).backup(before)
    const name = async () =>
      (await get('/v1/projects')).body.projects.map((one: { status: string }) => one.status)
    const [project] = await store.listProjects('team-acme')
    const statuses = await name()
    for (const status of ['one', 'two']) await store.updateProject('team-acme', project?.id ?? '', { status })
    expect(await name()).not.toEqual(statuses)
    await (await folder.openHandle('write', before)).backup(folder.database())
    expect(await name()).toEqual(statuses)
  })

  test('ends with its session, when another connection revokes it', async () => {
    const { get, clock } = await serveDatabase()
    const other = await folder.openStore()
    expect((await get('/v1/auth/me')).status).toBe(200)
    expect((await get('/v1/auth/me')).status).toBe(200)
    const [session] = await other.listSessions()
    await other.revokeSession(session?.id ?? '', clock.now().toISOString())
    expect((await get('/v1/auth/me')).status).toBe(401)
  })

  test('does not outlive the rights that a write needs', async () => {
    const { store, create, clock } = await serveDatabase()
    const caller = vi.spyOn(store, 'caller')
    expect([await create('One'), await create('Two')]).toEqual([201, 201])
    expect(caller).toHaveBeenCalledTimes(1)
    const other = await folder.openHandle()
    await other.exec("UPDATE sessions SET permissions = '[]'")
    expect(await create('Three')).toBe(403)
    await other.exec(`UPDATE sessions SET revoked_at = '${clock.now().toISOString()}'`)
    expect(await create('Four')).toBe(401)
  })

  test('is of one operation and one cookie', async () => {
    const { get, signIn } = await serveDatabase()
    const { cookie: viewer } = await signIn({ permissions: [] })
    const bundles = [await get('/v1/auth/me'), await get('/v1/auth/me', { cookie: viewer })]
    expect(bundles.map(({ body }) => body.permissions)).toEqual([['create:projects', 'update:projects'], []])
    expect(Object.keys((await get('/v1/projects')).body)).toEqual(['projects'])
  })
})

describe('while the store stays as it is', () => {
  const serve = () => {
    const store = createMemoryStore(demo())
    const calls = { caller: vi.spyOn(store, 'caller'), touch: vi.spyOn(store, 'touchSession') }
    return {
      ...createTestApp({
        store,
        changes: { version: () => 'the same', since: async () => ({ mark: '0', teams: undefined }) },
      }),
      calls,
    }
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

  test('the use of a session is noted as ever', async () => {
    const { app, signIn, clock, calls } = serve()
    const { cookie } = await signIn({ ttlMs: hour })
    for (let i = 0; i < 6; i += 1) {
      await app.inject({ url: '/v1/projects', headers: { cookie } })
      clock.advance(minute / 2)
    }
    expect(calls.touch).toHaveBeenCalledTimes(2)
  })

  test('requests at the same time share the making of their answer', async () => {
    const { app, signIn, calls } = serve()
    const { cookie } = await signIn()
    const ask = () => app.inject({ url: '/v1/projects', headers: { cookie } })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(calls.caller).toHaveBeenCalledTimes(1)
  })

  test('refusals are made anew', async () => {
    const { app, signIn, store, clock, calls } = serve()
    const { cookie, session } = await signIn()
    await store.revokeSession(session.id, clock.now().toISOString())
    for (let i = 0; i < 2; i += 1) {
      expect((await app.inject({ url: '/v1/projects', headers: { cookie } })).statusCode).toBe(401)
    }
    expect(calls.caller).toHaveBeenCalledTimes(2)
  })
})

describe('what is kept', () => {
  const text = 'x'.repeat(1000)
  const answer = { status: 200, headers: {}, text }
  const made = { value: answer, until: Number.POSITIVE_INFINITY, team: 'acme' }

  /** Answers kept over a store of which a test says what is committed. */
  function keep(maxBytes?: number) {
    const commits: (string[] | undefined)[] = []
    const since = vi.fn(async (mark?: string) => {
      const teams = commits.slice(Number(mark))
      return {
        mark: String(commits.length),
        teams:
          mark === undefined || teams.includes(undefined) ? undefined : teams.flatMap((some) => some ?? []),
      }
    })
    const changes = { version: vi.fn(() => String(commits.length)), since }
    const reads = createKeeping({ changes, now: () => new Date(), maxBytes }).ofKind<Answer>(
      ({ text = '' }) => 3 * text.length,
    )
    const find = (key: string) => new Promise<Answer | undefined>((tell) => reads.find(key, tell))
    const areKept = async (...keys: string[]) =>
      (await Promise.all(keys.map(find))).map((found) => found !== undefined)
    /** Whether an answer for a team is made, or found. */
    const ask = async (key: string, team?: string) => {
      const make = vi.fn(async () => ({ ...made, team }))
      await reads.get(key, make)
      return make.mock.calls.length === 1 ? 'made' : 'found'
    }
    return { get: reads.get, find, areKept, changes, commits, since, ask }
  }

  test('is bounded in bytes', async () => {
    const { get, areKept } = keep(10_000)
    for (const key of ['a', 'b', 'a', 'b', 'a', 'b']) await get(key, async () => made)
    expect(await areKept('a', 'b', 'c')).toEqual([true, true, false])
    for (const key of ['c', 'd', 'e']) await get(key, async () => made)
    expect(await areKept('a', 'd', 'e')).toEqual([false, false, true])
  })

  test('is of its whole key', async () => {
    const { get, areKept } = keep()
    const end = 'the same end of more than thirty-two characters'
    await get(`a ${end}`, async () => made)
    expect(await areKept(`a ${end}`, `b ${end}`, end)).toEqual([true, false, false])
    await get(`b ${end}`, async () => made)
    expect(await areKept(`a ${end}`, `b ${end}`)).toEqual([false, true])
    // Other cookies may come after that of the session, the same for everybody.
    for (const key of [`a; ${end}`, `b; ${end}`]) await get(key, async () => made)
    expect(await areKept(`a; ${end}`, `b; ${end}`)).toEqual([true, true])
  })

  test('lets go of the key whose place another takes', async () => {
    const { get } = keep()
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const heapUsed = () => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = heapUsed()
    for (let i = 0; i < 1_000; i++) {
      for (const length of [20_000, 40]) await get(String(i).padStart(length, '0'), async () => made)
    }
    expect(heapUsed() - before).toBeLessThan(5_000_000)
  })

  test('lasts while other teams change, and for no team while any session or team does not', async () => {
    const { commits, ask, areKept } = keep()
    await ask('acme', 'acme')
    await ask('globex', 'globex')
    await ask('alone')
    commits.push(['globex'], [])
    expect(await areKept('acme')).toEqual([false])
    expect(await ask('acme', 'acme')).toBe('found')
    expect(await areKept('acme', 'globex', 'alone')).toEqual([true, false, true])
    expect(await ask('globex', 'globex')).toBe('made')
    commits.push(undefined)
    expect(await ask('acme', 'acme')).toBe('made')
    expect(await areKept('acme', 'globex', 'alone')).toEqual([true, false, false])
  })

  test('is looked at once by all who ask after a commit', async () => {
    const { commits, since, ask } = keep()
    await ask('a', 'acme')
    commits.push(['acme'])
    const asked = await Promise.all(['a', 'b', 'c', 'a'].map((key) => ask(key, 'acme')))
    expect(asked).toEqual(['made', 'made', 'made', 'found'])
    expect(since).toHaveBeenCalledTimes(2)
  })

  test('is looked at once by all who ask in one turn, and after the last of them', async () => {
    const { get, find, changes, commits } = keep()
    await get('a', async () => made)
    changes.version.mockClear()
    const asked = [find('a'), find('a'), find('b')]
    expect(changes.version).not.toHaveBeenCalled()
    expect(await Promise.all(asked)).toEqual([answer, answer, undefined])
    expect(changes.version).toHaveBeenCalledTimes(1)
    const before = find('a')
    commits.push(['acme'])
    expect(await before).toBe(undefined)
  })

  test('is not what was still being made when its team changed', async () => {
    const { commits, get, ask, areKept, find } = keep()
    await ask('b', 'acme')
    let finish: ((value: typeof made) => void) | undefined
    const slow = get('a', () => new Promise<typeof made>((resolve) => (finish = resolve)))
    await vi.waitFor(() => expect(finish).not.toBe(undefined))
    commits.push(['acme'])
    const fresh = { ...made, value: { ...answer, text: 'fresh' } }
    expect((await get('a', async () => fresh)).text).toBe('fresh')
    finish?.(made)
    expect((await slow).text).toBe(text)
    expect((await find('a'))?.text).toBe('fresh')
    expect(await areKept('b')).toEqual([false])
  })

  test('does not hold on to what could not be made', async () => {
    const { get, ask } = keep()
    await expect(get('a', async () => Promise.reject(new Error('locked')))).rejects.toThrow('locked')
    expect(await ask('a', 'acme')).toBe('made')
  })
})

describe('sharing a look-up', () => {
  test('gives each caller one that began after its call', async () => {
    const finishers: ((value: number) => void)[] = []
    const look = shareNext(() => new Promise<number>((resolve) => finishers.push(resolve)))
    const first = look()
    await vi.waitFor(() => expect(finishers).toHaveLength(1))
    const others = [look(), look()]
    finishers[0]?.(1)
    expect(await first).toBe(1)
    await vi.waitFor(() => expect(finishers).toHaveLength(2))
    const last = look()
    finishers[1]?.(2)
    expect(await Promise.all(others)).toEqual([2, 2])
    await vi.waitFor(() => expect(finishers).toHaveLength(3))
    finishers[2]?.(3)
    expect(await last).toBe(3)
  })

  test('goes on after one that failed', async () => {
    let tries = 0
    const look = shareNext(async () => {
      tries += 1
      if (tries === 1) throw new Error('failed')
      return tries
    })
    const [first] = await Promise.allSettled([look()])
    const [second] = await Promise.allSettled([look()])
    expect(first).toMatchObject({ reason: new Error('failed') })
    expect(second).toMatchObject({ value: 2 })
  })
})
