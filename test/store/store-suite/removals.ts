import { expect, test } from 'vitest'
import { EmptyFilterError, type Store, StoreUnavailableError } from '../../../src/store/store.js'
import { at, fullState, ids, project, session, state, teams, user } from './records.js'

const none = { teams: 0, users: 0, sessions: 0, projects: 0, waitlist: 0 }

export function testRemovals(store: () => Store): void {
  test('removes a team with its projects and the sessions of its organisation', async () => {
    await store().load(fullState)
    await store().addSession(session({ id: 'globex', orgCode: 'org_globex' }))
    expect(await store().remove({ teams: ['acme'] })).toEqual({ ...none, teams: 1, sessions: 1, projects: 2 })
    const left = await store().export()
    expect(left).toStrictEqual({
      ...fullState,
      teams: [teams[1]],
      sessions: [fullState.sessions[0], session({ id: 'globex', orgCode: 'org_globex' })],
      projects: [fullState.projects[2]],
    })
    expect(await store().teamSize('acme')).toEqual({ projects: 0, bytes: 0 })
    expect((await store().listProjects('acme')).projects).toEqual([])
    expect(await store().teamOfOrganization('org_acme')).toBeUndefined()
    expect(await store().session('owner')).toBeUndefined()
  })

  test('refuses a project of a removed team, and a session of a removed user', async () => {
    await store().load({ ...fullState, sessions: [] })
    await store().remove({ teams: ['acme'], users: ['ada'] })
    const left = await store().export()
    const late = [
      () => store().addProject(project({ id: 'late', teamId: 'acme' })),
      () => store().addSession(session({ id: 'late', userId: 'ada' })),
    ]
    for (const add of late) await expect(add()).rejects.toThrow(StoreUnavailableError)
    expect(await store().export()).toEqual(left)
  })

  test('removes a user with the sessions, and an address of the waitlist', async () => {
    await store().load({
      ...fullState,
      sessions: [...fullState.sessions, session({ id: 'max', userId: 'max' })],
    })
    const removal = { users: ['ada'], waitlist: ['a@example.com'] }
    expect(await store().remove(removal)).toEqual({ ...none, users: 1, sessions: 2, waitlist: 1 })
    const { users, sessions, waitlist, projects } = await store().export()
    expect([ids(users), ids(sessions)]).toEqual([['max'], ['max']])
    expect(waitlist).toEqual([fullState.waitlist[0]])
    expect(projects).toEqual(fullState.projects)
    expect(await store().caller('owner')).toBeUndefined()
    // The same person may sign in again.
    await store().upsertUser({ issuer: 'https://id.example', subject: 'sub|1' }, user('again'))
    expect(await store().user('again')).toStrictEqual(user('again'))
  })

  test('removes only a project of its team, and reduces the size of the team', async () => {
    await store().load(state({ teams, projects: [project({ id: 'p1' }), project({ id: 'p2' })] }))
    const both = await store().teamSize('acme')
    expect(await store().remove({ projects: [{ teamId: 'globex', id: 'p1' }] })).toEqual(none)
    expect(await store().teamSize('acme')).toEqual(both)
    expect(await store().remove({ projects: [{ teamId: 'acme', id: 'p1' }] })).toEqual({
      ...none,
      projects: 1,
    })
    expect(ids((await store().listProjects('acme')).projects)).toEqual(['p2'])
    expect(await store().teamSize('acme')).toEqual({ projects: 1, bytes: both.bytes / 2 })
    await store().addProject(project({ id: 'p1' }))
    expect(await store().teamSize('acme')).toEqual(both)
  })

  test('counts a record that is named twice once, and skips missing records', async () => {
    await store().load(fullState)
    const twice = { teams: ['acme', 'acme', 'none'], users: ['ada', 'none'], waitlist: ['none@example.com'] }
    const projects = [
      { teamId: 'acme', id: 'p2' },
      { teamId: 'none', id: 'none' },
    ]
    const removed = await store().remove({ ...twice, projects })
    expect(removed).toEqual({ ...none, teams: 1, users: 1, sessions: 2, projects: 2 })
    expect(await store().remove({ ...twice, projects })).toEqual(none)
    expect(await store().remove({})).toEqual(none)
  })

  test('can add removed records again', async () => {
    await store().load(fullState)
    await store().remove({ teams: ['acme', 'globex'], users: ['ada', 'max'] })
    await store().load({ ...fullState, waitlist: [] })
    const { teams, projects } = await store().export()
    expect([ids(teams).sort(), ids(projects).sort()]).toEqual([
      ['acme', 'globex'],
      ['p1', 'p2', 'p9'],
    ])
    expect((await store().teamSize('acme')).projects).toBe(2)
  })

  test('refuses a blank id, and removes nothing', async () => {
    await store().load(fullState)
    const blanks = [
      { teams: ['acme', ' '] },
      { users: [''] },
      { waitlist: [''] },
      { projects: [{ teamId: '', id: 'p2' }] },
      { projects: [{ teamId: 'acme', id: '' }] },
    ]
    for (const blank of blanks) await expect(store().remove(blank)).rejects.toThrow(EmptyFilterError)
    expect(await store().export()).toStrictEqual(fullState)
  })

  test('leaves no session that was added while its user was removed', async () => {
    await store().load(state({ users: [user('ada')] }))
    const faults: unknown[] = []
    const add = (id: string) =>
      store()
        .addSession(session({ id, createdAt: at(0) }))
        .catch((error) => faults.push(error))
    const [before, after] = [
      ['a', 'b', 'c', 'd'],
      ['e', 'f', 'g', 'h'],
    ]
    await Promise.all([...before.map(add), store().remove({ users: ['ada'] }), ...after.map(add)])
    expect(faults.filter((fault) => !(fault instanceof StoreUnavailableError))).toEqual([])
    const callers = await Promise.all([...before, ...after].map((id) => store().caller(id)))
    expect(callers.filter(Boolean)).toEqual([])
  })
}
