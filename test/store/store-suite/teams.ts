import { expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { addTeams, ids, state, teams } from './records.js'

export function testTeams(store: () => Store): void {
  test('resolves an organisation code to its team, and no other code', async () => {
    await addTeams(store())
    expect(await store().teamOfOrganization('org_globex')).toEqual(teams[1])
    for (const code of ['org_initech', 'ORG_ACME', '', 'acme'])
      expect(await store().teamOfOrganization(code)).toBeUndefined()
  })

  test('adds one team for an organisation, also with concurrent calls', async () => {
    const initech = (id: string) => ({ id, name: 'Initech', orgCode: 'org_initech' })
    const added = await Promise.all(['a', 'b', 'c'].map((id) => store().addTeam(initech(id))))
    expect(added.filter(Boolean)).toHaveLength(1)
    const team = await store().teamOfOrganization('org_initech')
    expect(team).toEqual(initech(['a', 'b', 'c'][added.indexOf(true)] as string))
    expect(await store().addTeam(initech('d'))).toBe(false)
    expect((await store().export()).teams).toEqual([team])
  })

  test('lists every team in insertion order, and finds one by its id', async () => {
    expect(await store().listTeams()).toEqual([])
    await store().load(state({ teams: teams.toReversed() }))
    await store().addTeam({ id: 'a', name: 'A', orgCode: 'org_a' })
    expect(ids(await store().listTeams())).toEqual(['globex', 'acme', 'a'])
    expect(await store().team('globex')).toStrictEqual(teams[1])
    expect(await store().team('org_globex')).toBeUndefined()
  })

  test('lists the teams in pages, the last added first', async () => {
    await store().load(state({ teams }))
    await store().addTeam({ id: 'a', name: 'A', orgCode: 'org_a' })
    const page = await store().recordsBefore('teams', undefined, 1)
    const rest = await store().recordsBefore('teams', page[0]?.place, 9)
    expect([...page, ...rest].map(({ record }) => record)).toStrictEqual(
      (await store().listTeams()).reverse(),
    )
    expect(await store().recordsBefore('teams', rest.at(-1)?.place, 9)).toEqual([])
    expect(await store().countRecords('teams')).toBe(3)
  })

  test('renames one team, and keeps its id and organisation', async () => {
    await addTeams(store())
    const renamed = { ...teams[0], name: 'Acme & Söhne' }
    expect(await store().renameTeam('acme', renamed.name)).toStrictEqual(renamed)
    expect(await store().renameTeam('none', 'None')).toBeUndefined()
    expect(await store().listTeams()).toStrictEqual([renamed, teams[1]])
    expect(await store().teamOfOrganization('org_acme')).toStrictEqual(renamed)
  })
}
