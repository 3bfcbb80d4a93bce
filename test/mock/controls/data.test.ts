import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState, type StateKind } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)
const noon = '2026-05-01T12:00:00.000Z'

function start(state = fixtures) {
  const mock = createMockApi({
    fixtures: state,
    baseUrl: 'http://mock.test',
    seed: 7,
    clock: { at: noon },
  })
  const get = async (path: string, session: string) => {
    const request = new Request(`http://mock.test${path}`, { headers: { cookie: `session=${session}` } })
    const response = await getResponse(mock.handlers, request)
    return { status: response?.status, body: await response?.json() }
  }
  const text = async () => JSON.stringify(await mock.export())
  return { ...mock.controls, mock, get, text }
}

const names = ({ records }: { records: { name: string }[] }) => records.map(({ name }) => name)

describe('the records of a kind', () => {
  it('are listed as stored, with their number', async () => {
    const { data } = start()
    for (const kind of ['teams', 'users', 'sessions', 'projects', 'waitlist'] as const) {
      const { length } = fixtures[kind]
      expect(await data.list(kind)).toEqual({ total: length, matched: length, records: fixtures[kind] })
    }
  })

  it('are searched by text in any field and case, sorted by a field, and returned in pages', async () => {
    const { data } = start()
    await data.add('projects', { name: 'zebra', description: 'With STRIPES' })
    await data.add('projects', { name: 'Yak' })
    await data.add('projects', { name: 'aardvark', status: 'striped' })
    expect(await data.list('projects', { search: 'sTrIpe', sort: 'name' })).toMatchObject({
      total: fixtures.projects.length + 3,
      matched: 2,
      records: [{ name: 'aardvark' }, { name: 'zebra' }],
    })
    const first = await data.list('projects', { sort: '-name', limit: 2 })
    expect(names(first)).toEqual(['zebra', 'Yak'])
    const { records, matched } = await data.list('projects', { sort: '-name', offset: 1, limit: 1 })
    expect({ matched, names: records.map(({ name }) => name) }).toEqual({
      matched: fixtures.projects.length + 3,
      names: ['Yak'],
    })
    expect((await data.list('sessions', { search: 'CREATE:' })).matched).toBeGreaterThan(3)
    // Not after Z, where its character code is.
    expect(names(await data.list('projects', { sort: 'name' })).slice(0, 2)).toEqual([
      'aardvark',
      'Äpfel & Birnen',
    ])
  })

  it('are refused for an unknown kind, field or page', async () => {
    const { data } = start()
    await expect(data.list('people' as StateKind)).rejects.toMatchObject({
      name: 'ControlError',
      possible: ['teams', 'users', 'sessions', 'projects', 'waitlist'],
    })
    await expect(data.list('teams', { sort: 'size' })).rejects.toMatchObject({
      possible: ['id', 'name', 'orgCode'],
    })
    await expect(data.list('teams', { limit: -1 })).rejects.toThrow('limit is -1')
    await expect(data.list('teams', { offset: Number.NaN })).rejects.toThrow('offset is NaN')
  })
})

describe('a record', () => {
  it('that is added gets defaults for missing fields, in the team of the active persona', async () => {
    const { data, sessions, get } = start()
    const { record } = await data.add('projects', { name: 'Aurora' })
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Aurora',
      description: null,
      status: 'active',
      teamId: 'team-acme',
      createdAt: noon,
    })
    expect((await get('/v1/projects', 'acme-viewer')).body.projects).toContainEqual(record)
    await sessions.use('globex-owner')
    expect((await data.add('projects', { name: 'Zeta' })).record.teamId).toBe('team-globex')

    expect((await data.add('teams', { name: 'Müller & Co.' })).record).toEqual({
      id: 'team-muller-co',
      name: 'Müller & Co.',
      orgCode: 'org_muller-co',
    })
    expect((await data.add('teams', { name: 'Acme' })).record).toEqual({
      id: 'team-acme-2',
      name: 'Acme',
      orgCode: 'org_acme-2',
    })
    expect((await data.add('users', { email: 'ada@other.example' })).record).toMatchObject({
      id: 'user-ada-2',
      givenName: 'Ada',
      familyName: '',
    })
    expect((await data.add('sessions', { id: 'second', userId: 'user-ada-2' })).record).toMatchObject({
      permissions: ['create:projects', 'update:projects'],
    })
    expect((await data.add('waitlist', { email: 'w@b.example' })).record).toEqual({
      email: 'w@b.example',
      createdAt: noon,
    })
  })

  it('is changed in place, field by field; null removes an optional field', async () => {
    const { data, get, mock } = start()
    const [first] = fixtures.projects
    const key = String(first?.id)
    expect((await data.set('projects', key, { status: 'odd', createdAt: noon })).record).toEqual({
      ...first,
      status: 'odd',
      createdAt: noon,
    })
    await data.set('projects', key, { description: null, teamId: 'team-globex' })
    expect((await mock.export()).projects[0]).toMatchObject({
      id: key,
      description: null,
      teamId: 'team-globex',
    })
    expect((await get('/v1/projects', 'globex-owner')).body.projects).toContainEqual(
      expect.objectContaining({ id: key }),
    )

    const { record } = await data.set('sessions', 'acme-viewer', {
      orgCode: null,
      permissions: ['x'],
      role: undefined,
    })
    expect(record).toEqual({
      id: 'acme-viewer',
      userId: 'user-vera',
      permissions: ['x'],
      role: 'viewer',
      note: expect.any(String),
    })
    expect((await get('/v1/auth/me', 'acme-viewer')).body).toMatchObject({ teamId: '', permissions: ['x'] })
  })

  it('is found by a later request with its changed name', async () => {
    const { data, get } = start()
    const key = String(fixtures.projects.find(({ teamId }) => teamId === 'team-acme')?.id)
    await data.set('projects', key, { name: 'Renamed' })
    expect((await get('/v1/auth/me', 'acme-owner')).body.projects).toContainEqual({
      id: key,
      name: 'Renamed',
    })
  })

  it.each<[string, StateKind, object, string]>([
    ['an unknown team', 'projects', { name: 'A', teamId: 't9' }, 'teamId: no team "t9"'],
    ['an empty name', 'projects', { name: '' }, 'name: '],
    ['no name', 'teams', {}, 'name: '],
    ['a taken id', 'teams', { id: 'team-acme', name: 'A' }, 'id: "team-acme" exists already'],
    [
      'a taken organisation',
      'teams',
      { name: 'A', orgCode: 'org_globex' },
      'orgCode: "org_globex" exists already',
    ],
    ['an unknown field', 'teams', { name: 'A', size: 3 }, 'Unrecognized key: "size"'],
    ['an unknown user', 'sessions', { id: 'x', userId: 'nobody' }, 'userId: no user "nobody"'],
    ['a reserved name', 'sessions', { id: 'active', userId: 'user-ada' }, 'id: '],
    ['no address', 'waitlist', { email: 'nowhere' }, 'email: '],
    ['a text for a record', 'projects', 'Aurora' as never, 'Invalid input'],
    ['a text that no store holds', 'teams', { name: 'a\u0000' }, 'name: '],
  ])('with %s is refused with the path, and changes nothing', async (_, kind, record, message) => {
    const { data, text, undo } = start()
    const before = await text()
    await expect(data.add(kind, record as never)).rejects.toMatchObject({
      name: 'StateError',
      message: expect.stringContaining(message),
    })
    expect(await text()).toBe(before)
    await expect(undo()).rejects.toThrow('nothing to undo')
  })

  it.each<[string, StateKind, string, object, string]>([
    [
      'an unknown team',
      'projects',
      String(fixtures.projects[1]?.id),
      { teamId: 't9' },
      'teamId: no team "t9"',
    ],
    ['null for a name', 'teams', 'team-globex', { name: null }, 'name: '],
    ['another id', 'teams', 'team-acme', { id: 'team-other' }, 'id: cannot be changed'],
    [
      'a taken organisation',
      'teams',
      'team-acme',
      { orgCode: 'org_globex' },
      'orgCode: "org_globex" exists already',
    ],
    [
      'half an identity',
      'users',
      'user-ada',
      { issuer: 'https://id.example' },
      'Give issuer and subject together',
    ],
  ])('is not set to %s', async (_, kind, key, fields, message) => {
    const { data, text } = start()
    const before = await text()
    await expect(data.set(kind, key, fields as never)).rejects.toThrow(message)
    expect(await text()).toBe(before)
  })

  it('that does not exist is not found', async () => {
    const { data } = start()
    await expect(data.set('teams', 'none', { name: 'A' })).rejects.toMatchObject({ status: 404 })
    await expect(data.remove('teams', 'none')).rejects.toThrow('There is no record "none" among the teams.')
  })

  it('is removed, with dependent records only on request', async () => {
    const { data, text } = start()
    const before = await text()
    await expect(data.remove('teams', 'team-globex')).rejects.toMatchObject({
      name: 'ControlError',
      status: 409,
      message: expect.stringMatching(/sessions globex-owner; projects .+dependants/),
    })
    await expect(data.remove('users', 'user-vera')).rejects.toThrow('sessions acme-viewer.')
    await expect(data.remove('teams', 'team-acme')).rejects.toThrow(/, and \d+ more/)
    expect(await text()).toBe(before)
    expect((await data.remove('teams', 'team-globex', { dependants: true })).removed).toEqual({
      teams: 1,
      users: 0,
      sessions: 1,
      projects: 2,
      waitlist: 0,
    })
    const [project] = fixtures.projects
    expect((await data.remove('projects', String(project?.id))).removed.projects).toBe(1)
    expect((await data.remove('sessions', 'acme-viewer')).removed.sessions).toBe(1)
    expect((await data.remove('users', 'user-vera')).removed.users).toBe(1)
    expect((await data.list('users', { search: 'vera' })).matched).toBe(0)
  })

  it('that was the active persona is replaced by another one, with a warning', async () => {
    const { data, sessions } = start()
    expect(await data.remove('sessions', 'acme-owner')).toMatchObject({
      active: 'acme-member',
      warning: expect.stringContaining('no persona "acme-owner"'),
    })
    expect((await sessions.list()).active).toBe('acme-member')
  })
})

describe('a persona', () => {
  it('is added with its user and its team in one step, and signed in immediately', async () => {
    const { sessions, get, undo, redo, text } = start()
    const before = await text()
    const list = await sessions.add({
      id: 'initech-boss',
      orgCode: 'org_initech2',
      role: 'boss',
      note: 'New.',
    })
    expect(list.sessions.at(-1)).toEqual({
      id: 'initech-boss',
      email: 'initech-boss@mock.example',
      orgCode: 'org_initech2',
      role: 'boss',
      note: 'New.',
    })
    const bundle = await get('/v1/auth/me', 'initech-boss')
    expect(bundle).toMatchObject({
      status: 200,
      body: {
        user: { id: 'user-initech-boss', givenName: 'Initech', familyName: 'Boss' },
        teamId: 'team-initech2',
        permissions: ['create:projects', 'update:projects'],
      },
    })
    const after = await text()
    expect(await undo()).toMatchObject({ title: 'the persona initech-boss was added', changed: 3 })
    expect(await text()).toBe(before)
    await redo()
    expect(await text()).toBe(after)
  })

  it('joins the team of its organisation, or has none', async () => {
    const { sessions, data } = start()
    await sessions.add({ id: 'acme-new', orgCode: 'org_acme', email: 'n@acme.example', permissions: [] })
    await sessions.add({ id: 'alone' })
    await sessions.add({ id: 'founder', teamName: 'Neue Firma', givenName: 'Fee' })
    expect((await data.list('teams')).records.at(-1)).toEqual({
      id: 'team-neue-firma',
      name: 'Neue Firma',
      orgCode: 'org_neue-firma',
    })
    expect((await data.list('sessions')).records.slice(-3)).toEqual([
      { id: 'acme-new', userId: 'user-acme-new', orgCode: 'org_acme', permissions: [] },
      { id: 'alone', userId: 'user-alone', permissions: ['create:projects', 'update:projects'] },
      expect.objectContaining({ id: 'founder', orgCode: 'org_neue-firma' }),
    ])
    expect((await data.list('users', { search: 'Fee' })).records[0]).toMatchObject({ familyName: '' })
  })

  it('is refused completely if it cannot be added', async () => {
    const { sessions, text } = start()
    const before = await text()
    await expect(sessions.add({ id: 'acme-owner', teamName: 'New' })).rejects.toThrow(
      'id: "acme-owner" exists already',
    )
    await expect(sessions.add({ id: 'a b' })).rejects.toThrow('id: Use letters')
    await expect(sessions.add({ id: 'x', orgCode: 'org_acme', teamName: 'Other' })).rejects.toThrow(
      'The organisation "org_acme" has the team "Acme" already.',
    )
    expect(await text()).toBe(before)
  })

  it('is removed with its user, unless another persona has the same user', async () => {
    const { sessions, data, undo, text } = start()
    await data.add('sessions', { id: 'vera-2', userId: 'user-vera' })
    const before = await text()
    await sessions.remove('acme-viewer')
    expect((await data.list('users', { search: 'vera' })).matched).toBe(1)
    await sessions.remove('vera-2')
    expect((await data.list('users', { search: 'vera' })).matched).toBe(0)
    await undo()
    await undo()
    expect(await text()).toBe(before)
    expect(await sessions.remove('acme-owner')).toMatchObject({
      active: 'acme-member',
      warning: expect.stringContaining('"acme-owner"'),
    })
    await expect(sessions.remove('nobody')).rejects.toMatchObject({ name: 'UnknownPersonaError' })
  })
  it('has a session that can be ended, and that undo brings back', async () => {
    const { sessions, mock, get, undo, redo, text } = start()
    const before = await text()
    const { step } = await mock.controls.run('expireSession', { id: 'acme-member' })
    expect(step).toMatchObject({
      done: 'The session of acme-member expired.',
      undone: 'Went back to before the session of acme-member expired.',
    })
    expect((await get('/v1/projects', 'acme-member')).status).toBe(401)
    expect((await mock.controls.log.read()).at(-1)?.why).toBe('session check: expired')
    expect((await get('/v1/projects', 'acme-owner')).status).toBe(200)
    await undo(step?.id)
    expect(await text()).toBe(before)
    expect((await get('/v1/projects', 'acme-member')).status).toBe(200)
    await redo(step?.id)
    expect((await get('/v1/projects', 'acme-member')).status).toBe(401)
    await expect(sessions.expire('nobody')).rejects.toMatchObject({ name: 'UnknownPersonaError' })
  })
})

describe('generated projects', () => {
  it('have different names, are in the team of a persona, newest first, and are one step', async () => {
    const { data, get, undo, text } = start()
    const before = await text()
    const list = async (session: string) =>
      (await get('/v1/projects', session)).body.projects as { name: string; createdAt: string }[]
    const other = await list('acme-owner')
    const earlier = await list('globex-owner')
    await data.generate(1500, { session: 'globex-owner' })
    const all = await list('globex-owner')
    expect(all).toHaveLength(earlier.length + 1500)
    expect(new Set(all.map(({ name }) => name.toLowerCase())).size).toBe(all.length)
    expect(new Set(all.map(({ createdAt }) => createdAt)).size).toBe(all.length)
    expect(await list('acme-owner')).toEqual(other)
    await data.generate(5, { session: 'globex-owner' })
    expect(new Set((await list('globex-owner')).map(({ name }) => name)).size).toBe(all.length + 5)
    expect((await undo()).undone).toBe('Went back to before 5 projects were added to Globex.')
    await undo()
    expect(await text()).toBe(before)
  })

  it('are refused beyond the limit of a team, and without a team', async () => {
    const { data, sessions, text } = start()
    await sessions.use('acme-owner')
    const before = await text()
    await expect(data.generate(9_999)).rejects.toThrow(
      /^Acme has 4 of the 10,000 projects that a team can have, with at most 32 MiB of text: 9,999 more are too many\.$/,
    )
    await expect(data.generate(1, { session: 'no-team' })).rejects.toThrow('no-team has no team')
    await expect(data.generate(1, { session: 'nobody' })).rejects.toThrow('There is no persona "nobody"')
    await sessions.use(null)
    await expect(data.generate(1)).rejects.toThrow('is signed out: name a persona')
    expect(await text()).toBe(before)
  })
})
