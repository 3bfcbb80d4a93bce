import { expect, test } from 'vitest'
import { nameKey } from '../../../src/contract/project-name.js'
import type { Project } from '../../../src/contract/schemas.js'
import { EmptyFilterError, type Store } from '../../../src/store/store.js'
import { addTeams, at, ids, isTaken, project, state, teams } from './records.js'

export function testProjects(store: () => Store): void {
  test('lists every project of a team, newest first, then by id, descending', async () => {
    await addTeams(store(), [
      project({ id: 'b', createdAt: at(1) }),
      project({ id: 'oldest', createdAt: at(0) }),
      project({ id: 'c', createdAt: at(1) }),
      project({ id: 'newest', createdAt: at(2) }),
      project({ id: 'other', teamId: 'globex', createdAt: at(1) }),
    ])
    await store().addProject(project({ id: 'a', createdAt: at(1) }))
    expect(ids((await store().listProjects('acme')).projects)).toEqual(['newest', 'c', 'b', 'a', 'oldest'])
    expect(ids((await store().listProjects('globex')).projects)).toEqual(['other'])
    expect((await store().listProjects('initech')).projects).toEqual([])
    const names = ['newest', 'c', 'b', 'a', 'oldest'].map((id) => ({ id, name: project({ id }).name }))
    expect((await store().listProjectNames('acme')).projects).toStrictEqual(names)
    expect(ids((await store().listProjectNames('globex')).projects)).toEqual(['other'])
    expect((await store().listProjectNames('initech')).projects).toEqual([])
  })

  test('lists the projects of a team in pages, in the order of the list', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id, i) => project({ id, createdAt: at(i >> 1) }))
    await addTeams(store(), [...all, project({ id: 'other', teamId: 'globex', createdAt: at(1) })])
    const listed = []
    let page = await store().projectsAfter('acme', undefined, 2)
    while (page.length > 0) {
      listed.push(...page)
      page = await store().projectsAfter('acme', page.at(-1), 2)
    }
    expect(listed).toStrictEqual((await store().listProjects('acme')).projects)
    await expect(store().projectsAfter(' ', undefined, 2)).rejects.toThrow(EmptyFilterError)
  })

  test('returns a project as it was added, with exactly its six fields', async () => {
    await addTeams(store())
    const bare = project({ id: 'bare' })
    const full = project({ id: 'full', description: 'x', status: 'archived', createdAt: at(5) })
    await store().addProject(bare)
    await store().addProject(full)
    expect(await store().project('acme', 'bare')).toStrictEqual(bare)
    expect(await store().project('acme', 'full')).toStrictEqual(full)
    expect((await store().listProjects('acme')).projects).toStrictEqual([full, bare])
  })

  test('finds the name of any project of a team by its key, and after a rename by the new one only', async () => {
    // Several projects may have one name (4.1, rule 2).
    const named = ['Apollo', 'APOLLO', 'ÄPFEL', 'ΟΔΟΣ', 'STRASSE'].map((name) => project({ id: name, name }))
    await addTeams(store(), named.slice(2))
    await Promise.all(named.slice(0, 2).map((each) => store().addProject(each)))
    const taken = async (...names: string[]) =>
      Promise.all(names.map((name) => isTaken(store(), 'acme', nameKey(name))))
    expect(await taken('apollo', 'a\u0308PFEL', 'οδος', 'straße')).toEqual([true, true, true, true])
    expect(await taken('Apollo ', 'Apoll', 'Apollo%', '')).toEqual([false, false, false, false])
    await store().updateProject('acme', 'ÄPFEL', { name: 'Gemini' })
    expect(await taken('gemini', 'äpfel')).toEqual([true, false])
    expect((await store().listProjects('acme')).projects).toHaveLength(5)
  })

  test('refuses a name that has to be new and is taken in the team, before any limit', async () => {
    await addTeams(store(), [project({ id: 'p', name: 'Apollo' })])
    const add = (id: string, name: string, limits = room, teamId = 'acme') =>
      store().addProject(project({ id, name, teamId }), limits, nameKey(name))
    const room = { projects: 3, bytes: 1000 }
    expect(await add('a', 'APOLLO')).toBe('name')
    expect(await add('a', 'apollo', { projects: 1, bytes: 1 })).toBe('name')
    expect(await add('a', 'Gemini', { projects: 1, bytes: 1000 })).toBe('projects')
    expect(await add('of-another-team', 'Apollo', room, 'globex')).toBeUndefined()
    expect(await add('free', 'Gemini')).toBeUndefined()
    expect(ids((await store().listProjects('acme')).projects)).toEqual(['p', 'free'])
    expect(await store().teamSize('acme')).toMatchObject({ projects: 2 })
  })

  test('refuses each of several concurrent calls by itself, for a taken name or a full team', async () => {
    await addTeams(store(), [project({ id: 'p', name: 'Apollo' })])
    const add = (id: string, name: string, teamId = 'acme', projects = 3) =>
      store().addProject(project({ id, name, teamId }), { projects, bytes: 1000 }, nameKey(name))
    const refusals = await Promise.all([
      add('a', 'Apollo'),
      add('b', 'Gemini'),
      add('c', 'apollo'),
      add('d', 'Mercury'),
      add('e', 'Soyuz'),
      add('f', 'Apollo', 'globex', 1),
    ])
    expect(refusals).toEqual(['name', undefined, 'name', undefined, 'projects', undefined])
    expect(ids((await store().listProjects('acme')).projects).sort()).toEqual(['b', 'd', 'p'])
    expect(ids((await store().listProjects('globex')).projects)).toEqual(['f'])
  })

  test('lets concurrent calls with one new name succeed or find the name taken (4.1, rule 2)', async () => {
    await addTeams(store())
    const add = (id: string) =>
      store().addProject(project({ id, name: 'Apollo' }), { projects: 9, bytes: 1000 }, 'apollo')
    const refusals = await Promise.all(['a', 'b', 'c'].map(add))
    expect(refusals.every((refusal) => refusal === undefined || refusal === 'name')).toBe(true)
    const added = ids((await store().listProjects('acme')).projects)
    expect(added).toHaveLength(refusals.filter((refusal) => refusal === undefined).length)
    expect(await add('d')).toBe('name')
  })

  test('updates the given fields and no others', async () => {
    const before = project({ id: 'p', name: 'Apollo', description: 'x', status: 'paused' })
    await addTeams(store(), [before])
    const steps = [
      { name: 'Gemini' },
      { description: '' },
      { status: 'archived' },
      {},
      { name: 'Mercury', description: 'y', status: 'active' },
    ]
    let expected = before
    for (const changes of steps) {
      expected = { ...expected, ...changes }
      expect(await store().updateProject('acme', 'p', changes)).toStrictEqual(expected)
      expect(await store().project('acme', 'p')).toStrictEqual(expected)
      expect(await isTaken(store(), 'acme', nameKey(expected.name))).toBe(true)
    }
  })

  test('returns the size of a team, in projects and bytes', async () => {
    expect(await store().teamSize('acme')).toEqual({ projects: 0, bytes: 0 })
    const codes = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).slice(1)
    const text = `${codes.join('')}\u2028\ufeff€🚀`
    await addTeams(store(), [project({ id: 'loaded', name: text, description: text, status: text })])
    // The bytes of the text in JSON.
    const bytes = 3 * (Buffer.byteLength(JSON.stringify(text)) - 2)
    expect(await store().teamSize('acme')).toEqual({ projects: 1, bytes })
    await store().updateProject('acme', 'loaded', { name: 'ä€🚀', description: '', status: 'on' })
    expect(await store().teamSize('acme')).toEqual({ projects: 1, bytes: 9 + 2 })
    await store().addProject(project({ id: 'added', name: 'abc', description: 'de', status: 'f' }))
    expect(await store().teamSize('acme')).toEqual({ projects: 2, bytes: 17 })
    await store().updateProject('acme', 'added', { description: 'ä' })
    await store().updateProject('acme', 'loaded', { name: 'x', status: 'y', description: '' })
    await store().updateProject('globex', 'loaded', { name: 'longer' })
    expect(await store().teamSize('acme')).toEqual({ projects: 2, bytes: 2 + 6 })
    await store().load(
      state({ teams, projects: [project({ id: 'added' }), project({ id: 'p', name: 'p', status: '' })] }),
    )
    expect(await store().teamSize('acme')).toEqual({ projects: 3, bytes: 2 + 6 + 1 })
    expect(await store().teamSize('globex')).toEqual({ projects: 0, bytes: 0 })
  })

  test('refuses writes beyond the limits of a team, and counts concurrent ones together', async () => {
    const limits = { projects: 3, bytes: 60 }
    await addTeams(store())
    const first = project({ id: 'p', name: 'p', status: 's' })
    expect(await store().addProject(first, { projects: 0, bytes: 1000 })).toBe('projects')
    expect(await store().addProject(first, { projects: 1, bytes: 1 })).toBe('bytes')
    expect(await store().addProject(first, { projects: 1, bytes: 2 })).toBeUndefined()
    const add = (id: string, more: Partial<Project> = {}) =>
      store().addProject(project({ id, name: id, status: 's', ...more }), limits)
    const added = [add('a'), add('x', { teamId: 'globex' }), add('b'), add('c'), add('d')]
    expect(await Promise.all(added)).toEqual([undefined, undefined, undefined, 'projects', 'projects'])
    expect((await store().listProjects('acme')).projects.map(({ id }) => id).sort()).toEqual(['a', 'b', 'p'])
    expect((await store().listProjects('globex')).projects).toHaveLength(1)

    // The three projects of acme have 6 bytes.
    const update = (id: string, length: number, teamId = 'acme') =>
      store().updateProject(teamId, id, { description: 'x'.repeat(length) }, limits)
    const updated = [
      update('a', 40),
      update('b', 15),
      update('p', 14),
      update('x', 50, 'globex'),
      update('x', 1),
      update('none', 1),
    ]
    expect(await Promise.all(updated)).toMatchObject([
      { id: 'a' },
      'bytes',
      { id: 'p' },
      { id: 'x' },
      undefined,
      undefined,
    ])
    expect(await update('a', 41)).toBe('bytes')
    expect(await update('a', 39)).toMatchObject({ id: 'a' })
    expect(await store().teamSize('acme')).toEqual({ projects: 3, bytes: 59 })

    expect(
      await store().addProject(project({ id: 'unlimited', description: 'x'.repeat(100) })),
    ).toBeUndefined()
    expect(await update('a', 39)).toMatchObject({ id: 'a' })
    expect(await update('a', 40)).toBe('bytes')
    expect(await store().updateProject('acme', 'a', { description: 'x'.repeat(100) })).toMatchObject({
      id: 'a',
    })
  })

  test('refuses the name of another project if the name must be new, but not its own name in another case', async () => {
    await addTeams(store(), [project({ id: 'a', name: 'Apollo' }), project({ id: 'b', name: 'Gemini' })])
    const rename = (name: string, newName?: string) =>
      store().updateProject('acme', 'a', { name }, undefined, newName)
    expect(await rename('GEMINI', 'gemini')).toBe('name')
    expect(await store().project('acme', 'a')).toMatchObject({ name: 'Apollo' })
    expect(await rename('APOLLO', 'apollo')).toMatchObject({ name: 'APOLLO' })
    expect(await rename('GEMINI')).toMatchObject({ name: 'GEMINI' })
    // Two projects have one name now (4.1, rule 2); each may keep it.
    expect(await rename('gemini', 'gemini')).toMatchObject({ name: 'gemini' })
  })

  test("gives no access to another team's project", async () => {
    const theirs = project({ id: 'theirs', name: 'Apollo', teamId: 'globex' })
    await addTeams(store(), [theirs])
    for (const id of ['theirs', 'none']) expect(await store().project('acme', id)).toBeUndefined()
    expect(await isTaken(store(), 'acme', 'apollo')).toBe(false)
    expect((await store().listProjects('acme')).projects).toEqual([])
    for (const id of ['theirs', 'none'])
      expect(await store().updateProject('acme', id, { name: 'Mine', status: 'x' })).toBeUndefined()
    expect(await store().project('globex', 'theirs')).toStrictEqual(theirs)
  })

  test('refuses an existing id of the team, and changes nothing', async () => {
    const first = project({ id: 'p', name: 'First' })
    await addTeams(store(), [first])
    await expect(store().addProject(project({ id: 'p', name: 'Second' }))).rejects.toThrow()
    expect((await store().listProjects('acme')).projects).toStrictEqual([first])
  })

  test("does not change a project when another team's project has its id", async () => {
    const first = project({ id: 'p', name: 'First' })
    await addTeams(store(), [first])
    await store()
      .addProject(project({ id: 'p', name: 'Second', teamId: 'globex' }))
      .catch(() => {})
    await Promise.all([
      store().updateProject('acme', 'p', { status: 'paused' }),
      store().updateProject('globex', 'p', { status: 'done' }),
    ])
    expect((await store().listProjects('acme')).projects).toStrictEqual([{ ...first, status: 'paused' }])
    expect(await store().project('globex', 'p')).not.toMatchObject({ name: 'First' })
  })

  test.each(['', ' ', '\t\n', '\u00a0'])('refuses the blank filter %j and changes nothing', async (blank) => {
    const only = project({ id: 'p', name: 'Apollo' })
    await addTeams(store(), [only])
    const calls = [
      () => store().listProjects(blank),
      () => store().listProjectNames(blank),
      () => store().teamSize(blank),
      () => store().project(blank, 'p'),
      () => store().project('acme', blank),
      () => store().updateProject(blank, 'p', { status: 'x' }),
      () => store().updateProject('acme', blank, { status: 'x' }),
      () => store().addProject(project({ id: blank })),
      () => store().addProject(project({ id: 'q', teamId: blank })),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(EmptyFilterError)
    expect((await store().export()).projects).toStrictEqual([only])
  })
}
