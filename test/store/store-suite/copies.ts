import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { fullState, session } from './records.js'

export function testCopies(store: () => Store): void {
  const overwrite = (value: object | string | undefined) => {
    for (const [key, inner] of Object.entries(value as object)) {
      if (Array.isArray(inner)) inner.push('overwritten')
      else Object.assign(value as object, { [key]: 'overwritten' })
    }
  }

  test('returns copies of its records', async () => {
    await store().load(fullState)
    const reads: (() => Promise<object | string | undefined>)[] = [
      () => store().teamOfOrganization('org_acme'),
      () => store().project('acme', 'p2'),
      () => store().updateProject('acme', 'p2', {}),
      () => store().user('ada'),
      () => store().usersWithEmail('ada@example.com'),
      () => store().session('owner'),
      () => store().team('acme'),
      () => store().listTeams(),
      () => store().listProjects('acme'),
      () => store().listProjectNames('acme'),
      () => store().listSessions(),
      () => store().waitlistAfter(undefined, 10_000),
      () => store().usersAfter(undefined, 9),
      async () => {
        const { version: _, ...kinds } = await store().export()
        return Object.values(kinds).flat()
      },
    ]
    for (const read of reads) {
      for (const value of [await read()].flat()) overwrite(value)
    }
    expect(await store().export()).toStrictEqual(fullState)
  })

  test('stores copies of its arguments', async () => {
    const given = structuredClone(fullState)
    await store().load(given)
    const added = session({ id: 'added', permissions: ['create:projects'] })
    await store().addSession(added)
    for (const records of Object.values(given)) if (Array.isArray(records)) records.forEach(overwrite)
    overwrite(added)
    expect((await store().session('added'))?.permissions).toEqual(['create:projects'])
    expect((await store().export()).sessions.slice(0, 2)).toStrictEqual(fullState.sessions)
  })
}
