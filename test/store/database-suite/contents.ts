import { expect, test } from 'vitest'
import { projectBytes } from '../../../src/contract/limits.js'
import { emptyState } from '../../../src/store/state-file.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import type { TestDatabase } from '../database-suite.js'
import { acmeProject, entry } from '../sqlite/sqlite-folder.js'
import { fullState, session } from '../store-suite/records.js'

/** The size of a team of the full state. */
export function sizeOf(teamId: string, projects = fullState.projects) {
  const own = projects.filter((project) => project.teamId === teamId)
  return { projects: own.length, bytes: own.reduce((sum, project) => sum + projectBytes(project), 0) }
}

export function testContents({ openStore, run }: TestDatabase): void {
  test('knows the size of each team, whichever program writes', async () => {
    const store = await openStore()
    await store.load(fullState)
    for (const { id } of fullState.teams) expect(await store.teamSize(id)).toEqual(sizeOf(id))
    await run("UPDATE projects SET team_id = 'globex', description = 'ä€'")
    const moved = fullState.projects.map((project) => ({
      ...project,
      teamId: 'globex',
      description: 'ä€',
    }))
    expect(await store.teamSize('acme')).toEqual({ projects: 0, bytes: 0 })
    expect(await store.teamSize('globex')).toEqual(sizeOf('globex', moved))
    await run("DELETE FROM teams WHERE id = 'none'")
    expect(await store.teamSize('globex')).toEqual(sizeOf('globex', moved))
    await run('DELETE FROM projects')
    expect(await store.teamSize('globex')).toEqual({ projects: 0, bytes: 0 })
  })

  test('lists a large team like a small one', async () => {
    const store = await openStore()
    const projects = Array.from({ length: 150 }, (_, i) => ({
      ...acmeProject(`p${String(i).padStart(3, '0')}`),
      description: 'ä'.repeat(8_000),
    }))
    await store.load({ ...fullState, projects })
    expect((await store.listProjects('acme')).projects).toEqual(projects.toReversed())
  })

  test.each([
    'not JSON',
    '{}',
    'null',
    '"create:projects"',
    '["create:projects",null]',
    '["create:projects"',
  ])(
    'permits nothing to a session whose permissions are damaged (%s), and fails no other session',
    async (damaged) => {
      const store = await openStore()
      const sessions = ['a', 'b'].map((id) => session({ id, permissions: ['create:projects'] }))
      await store.load({ ...fullState, sessions })
      await run(`UPDATE sessions SET permissions = '${damaged}' WHERE id = 'a'`)
      const callers = await Promise.all(['a', 'b'].map(store.caller))
      expect(callers.map((caller) => caller?.session.permissions)).toEqual([[], ['create:projects']])
      expect((await store.listSessions()).map(({ id }) => id)).toEqual(['a', 'b'])
    },
  )

  test('writes a known address of the waitlist like a new one', async () => {
    const store = await openStore()
    expect(await store.addToWaitlist(entry('a'))).toBe(true)
    const repeated = [store.addToWaitlist(entry('a')), store.addToWaitlist(entry('a'))]
    expect(await Promise.all(repeated)).toEqual([false, false])
    expect(await store.addToWaitlist(entry('b'))).toBe(true)
    expect(await run('SELECT email, submissions FROM waitlist ORDER BY email')).toEqual([
      { email: 'a@example.com', submissions: 3 },
      { email: 'b@example.com', submissions: 1 },
    ])
  })

  test('rolls a load back that fails half-way', async () => {
    const store = await openStore()
    await expect(store.load({ ...fullState, teams: [] })).rejects.toThrow()
    expect(await store.export()).toEqual(emptyState())
  })

  test('waits for earlier calls when it is closed, and refuses later ones', async () => {
    const store = await openStore()
    await store.load(fullState)
    const writes = Array.from({ length: 30 }, (_, i) => store.addProject(acmeProject(`late${i}`)))
    const reads = [store.export(), store.listProjects('acme'), store.waitlistAfter(undefined, 10_000)]
    const closed = [store.close(), store.close()]
    await Promise.all([...writes, ...reads, ...closed])
    const calls = [
      () => store.listProjects('acme'),
      () => store.caller('owner'),
      () => store.addToWaitlist(entry('late')),
      () => store.export(),
      () => store.load(fullState),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(StoreUnavailableError)
    await store.close()
    expect((await (await openStore()).listProjects('acme')).projects).toHaveLength(2 + writes.length)
  })
}
