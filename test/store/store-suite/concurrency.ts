import { expect, test } from 'vitest'
import type { ProjectChanges } from '../../../src/contract/schemas.js'
import type { Store } from '../../../src/store/store.js'
import { addTeams, at, fullState, ids, project, session, user } from './records.js'

export function testConcurrency(store: () => Store): void {
  test('concurrent updates of one project each return its state after them; nothing for another team', async () => {
    const [p, q] = [project({ id: 'p' }), project({ id: 'q' })]
    await addTeams(store(), [p, q])
    const update = (teamId: string, id: string, changes: ProjectChanges) =>
      store().updateProject(teamId, id, changes)
    const results = await Promise.all([
      update('acme', 'p', { status: 'one' }),
      update('globex', 'p', { status: 'stolen' }),
      update('acme', 'q', { name: 'Q' }),
      update('acme', 'p', { name: 'P' }),
      update('acme', 'p', { status: 'two' }),
      update('acme', 'none', { status: 'lost' }),
    ])
    const first = { ...p, status: 'one' }
    const last = { ...p, name: 'P', status: 'two' }
    expect(results).toEqual([first, undefined, { ...q, name: 'Q' }, { ...first, name: 'P' }, last, undefined])
    expect((await store().listProjects('acme')).projects).toEqual([{ ...q, name: 'Q' }, last])
  })

  test('a write that fails does not affect writes called at the same time', async () => {
    await addTeams(store(), [project({ id: 'taken' })])
    const wanted = Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? 'taken' : `p${i}`))
    const outcomes = await Promise.allSettled(wanted.map((id) => store().addProject(project({ id }))))
    const added = wanted.filter((_, i) => outcomes[i]?.status === 'fulfilled')
    expect(added).toEqual(wanted.filter((id) => id !== 'taken'))
    expect(ids((await store().export()).projects)).toEqual(['taken', ...added])
  })

  test('of concurrent sign-ups with one address the first returns true', async () => {
    const names = ['a', 'b', 'a', 'b', 'c']
    const join = (name: string) => store().addToWaitlist({ email: `${name}@example.com`, createdAt: at(1) })
    expect(await Promise.all(names.map(join))).toEqual([true, true, false, false, true])
    expect(await store().countWaitlist()).toBe(3)
  })

  test('an export is consistent while others write', async () => {
    await store().load(fullState)
    const exports = Array.from({ length: 5 }, () => store().export())
    const loads = Array.from({ length: 20 }, (_, i) =>
      store().load({
        ...fullState,
        users: [user(`u${i}`)],
        sessions: [session({ id: `s${i}`, userId: `u${i}` })],
      }),
    )
    for (const state of await Promise.all(exports)) expect(state.users).toHaveLength(state.sessions.length)
    await Promise.all(loads)
  })
}
