import { expect, test } from 'vitest'
import { emptyState, StateError, zeroCounts } from '../../../src/store/state-file.js'
import type { Store } from '../../../src/store/store.js'
import { at, fullState, project, state, user } from './records.js'

export function testLoadAndExport(store: () => Store): void {
  test('is empty at first', async () => {
    expect(await store().export()).toStrictEqual(emptyState())
  })

  test('counts created and existing records; a second load changes nothing', async () => {
    const all = { teams: 2, users: 2, sessions: 2, projects: 3, waitlist: 2 }
    expect(await store().load(fullState)).toEqual({ created: all, existing: zeroCounts() })
    expect(await store().load(fullState)).toEqual({ created: zeroCounts(), existing: all })
    expect(await store().export()).toStrictEqual(fullState)
  })

  test('adds missing records, and does not change existing ones', async () => {
    await store().load(fullState)
    await store().updateProject('acme', 'p2', { name: 'Renamed' })
    await store().revokeSession('viewer', at(7))
    await store().remove({ waitlist: ['z@example.com'] })
    const report = await store().load({
      ...fullState,
      teams: [
        fullState.teams[0] as (typeof fullState.teams)[0],
        { id: 'acme', name: 'New', orgCode: 'org_new' },
      ],
      users: [user('ada', 'changed@example.com'), user('new')],
      projects: [...fullState.projects, project({ id: 'p3' })],
    })
    expect(report.created).toEqual({ ...zeroCounts(), users: 1, projects: 1, waitlist: 1 })
    expect(report.existing).toEqual({ teams: 2, users: 1, sessions: 2, projects: 3, waitlist: 1 })
    expect(await store().teamOfOrganization('org_new')).toBeUndefined()
    expect((await store().project('acme', 'p2'))?.name).toBe('Renamed')
    expect((await store().session('viewer'))?.revokedAt).toBe(at(7))
    expect((await store().user('ada'))?.email).toBe('ada@example.com')
  })

  test('refuses the organisation code of another team, and loads nothing', async () => {
    await store().load(fullState)
    const refused = store().load(
      state({
        teams: [
          { id: 'fresh', name: 'Fresh', orgCode: 'org_fresh' },
          { id: 'thief', name: 'Thief', orgCode: 'org_acme' },
        ],
        users: [user('fresh')],
        projects: [project({ id: 'fresh', teamId: 'fresh' })],
        waitlist: [{ email: 'fresh@example.com', createdAt: at(1) }],
      }),
    )
    await expect(refused).rejects.toThrow(
      new StateError([{ path: 'teams[1].orgCode', reason: '"org_acme" belongs to team "acme" already' }]),
    )
    expect(await store().export()).toStrictEqual(fullState)
  })

  test('refuses the identity of another user, and loads nothing', async () => {
    await store().load(fullState)
    const thief = { ...user('thief'), issuer: 'https://id.example', subject: 'sub|1' }
    await expect(store().load(state({ users: [user('fresh'), thief] }))).rejects.toThrow(
      new StateError([{ path: 'users[1].subject', reason: '"sub|1" belongs to user "ada" already' }]),
    )
    expect(await store().export()).toStrictEqual(fullState)
  })

  test('loads thousands of records, in their order', async () => {
    const many = Array.from({ length: 2_345 }, (_, i) => ({
      email: `someone-${i}@example.com`,
      createdAt: at(i % 60),
    }))
    const report = await store().load(state({ waitlist: many }))
    expect(report.created.waitlist).toBe(many.length)
    expect((await store().export()).waitlist).toStrictEqual(many)
  })
}
