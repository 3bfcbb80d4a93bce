import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyState, parseState, StateError, type StateFault } from '../../src/store/state-file.js'
import { createMemoryStore } from './memory/full-memory-store.js'

/** The demo fixture, without `$schema`, which is not part of a state. */
const demo = () => {
  const { $schema, ...state } = JSON.parse(
    readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8'),
  )
  expect($schema).toBe('../state.schema.json')
  return state
}

const at = '2026-03-01T12:00:00.000Z'
const team = { id: 't1', name: 'Acme', orgCode: 'org_acme' }
const user = { id: 'u1', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const session = { id: 's1', userId: 'u1', permissions: [] }
const project = { id: 'p1', name: 'Apollo', description: null, status: 'active', teamId: 't1', createdAt: at }
const entry = { email: 'ada@example.com', createdAt: at }

const state = () => ({
  version: 1,
  teams: [team],
  users: [user],
  sessions: [session],
  projects: [project],
  waitlist: [entry],
})

/** The error with which a state is refused. */
function refusalOf(value: unknown): StateError {
  try {
    parseState(value)
  } catch (error) {
    if (error instanceof StateError) return error
    throw error
  }
  throw new Error('the state was accepted')
}
const faultsOf = (value: unknown): StateFault[] => refusalOf(value).faults

describe('a state with more than 100 faults', () => {
  const empty = Array.from({ length: 500_000 }, () => ({}))
  const many: [string, unknown][] = [
    ['in every array', { version: 1, teams: empty, users: empty, sessions: empty, projects: empty }],
    ['in the permissions of a session', { ...state(), sessions: [{ ...session, permissions: empty }] }],
    ['of equal ids', { ...state(), teams: Array.from({ length: 200_000 }, () => team) }],
    ['of missing references', { ...state(), teams: [], projects: empty.map(() => project) }],
  ]

  test.each(many)('%s is refused with the first 100', (_, value) => {
    const error = refusalOf(value)
    expect(error.faults).toHaveLength(100)
    expect(error.message.split('\n')).toHaveLength(101)
    expect(error.message).toMatch(/\nand more: these are the first 100 faults$/)
  })

  test('with very long names is refused with a short message', () => {
    const unknown = Object.fromEntries(empty.slice(0, 100_000).map((_, i) => [`key${i}`, 1]))
    expect(refusalOf({ version: 1, ...unknown }).message.length).toBeLessThan(1000)
  })
})

describe('a state file', () => {
  test('is parsed unchanged', () => {
    expect(parseState(state())).toStrictEqual(state())
    expect(parseState(demo())).toStrictEqual(demo())
  })

  test('may omit kinds of records, and may name its schema', () => {
    expect(parseState({ $schema: './state.schema.json', version: 1 })).toStrictEqual(emptyState())
  })

  test('is exported by a store as it was loaded', async () => {
    const exported = await createMemoryStore(parseState(demo())).export()
    expect(parseState(JSON.parse(JSON.stringify(exported)))).toStrictEqual(demo())
  })

  test.each([[null], [[]], ['x'], [1], [undefined]])('is refused if it is not an object: %j', (value) => {
    expect(faultsOf(value)).toEqual([{ path: '', reason: expect.stringContaining('expected object') }])
  })

  const ofTeam = (...more: object[]) => ({ teams: more.map((each) => ({ ...team, ...each })) })
  const ofUser = (...more: object[]) => ({ users: more.map((each) => ({ ...user, ...each })) })
  const ofSession = (...more: object[]) => ({ sessions: more.map((each) => ({ ...session, ...each })) })
  const ofProject = (...more: object[]) => ({ projects: more.map((each) => ({ ...project, ...each })) })
  const ofEntry = (...more: object[]) => ({ waitlist: more.map((each) => ({ ...entry, ...each })) })
  const identity = { issuer: 'https://id.example', subject: '1' }
  const long = 'ä'.repeat(256)

  // Each row: a title, the fault, its path, and a part of its reason.
  test.each<[string, object, string, string]>([
    ['no version', { version: undefined }, 'version', 'expected 1'],
    ['another version', { version: 2 }, 'version', 'expected 1'],
    ['an unknown kind', { members: [] }, '', 'members'],
    ['a kind that is not an array', { teams: {} }, 'teams', 'expected array'],
    ['an unknown field', ofTeam({ slug: 'a' }), 'teams[0]', 'slug'],
    ['a missing field', ofUser({}, { id: 'u2', email: undefined }), 'users[1].email', 'string'],
    ['null for a field', ofSession({ orgCode: null }), 'sessions[0].orgCode', 'string'],
    ['a number', ofProject({ name: 5 }), 'projects[0].name', 'string'],
    ['an empty name', ofProject({ name: '' }), 'projects[0].name', 'Must not be empty'],
    ['an empty status', ofProject({ status: '' }), 'projects[0].status', 'Must not be empty'],
    ['an empty role', ofSession({ role: '' }), 'sessions[0].role', 'Must not be empty'],
    ['U+0000', ofProject({ description: 'a\0b' }), 'projects[0].description', 'U+0000'],
    ['a lone surrogate', ofTeam({ name: 'a\ud800' }), 'teams[0].name', 'lone surrogate'],
    ['a blank id', ofProject({ id: ' ' }), 'projects[0].id', 'letters, digits'],
    ['an id with a slash', ofUser({}, { id: 'a/b' }), 'users[1].id', 'letters, digits'],
    ['a longer id', ofTeam({ id: 'a'.repeat(256) }), 'teams[0].id', '<=255'],
    ['a longer code', ofTeam({ orgCode: long }), 'teams[0].orgCode', '<=255'],
    ['a longer subject', ofUser({ ...identity, subject: long }), 'users[0].subject', '<=255'],
    ['a session named "active"', ofSession({ id: 'active' }), 'sessions[0].id', '"active"'],
    ['a wrong permission', ofSession({ permissions: ['a', 1] }), 'sessions[0].permissions[1]', 'string'],
    ['a date', ofProject({ createdAt: '2026-03-01' }), 'projects[0].createdAt', 'RFC 3339'],
    ['no milliseconds', ofEntry({ createdAt: at.replace('.000', '') }), 'waitlist[0].createdAt', 'RFC 3339'],
    ['another zone', ofSession({ expiresAt: `${at}+01:00` }), 'sessions[0].expiresAt', 'RFC 3339'],
    ['an invalid address', ofEntry({}, { email: 'ada' }), 'waitlist[1].email', 'email'],
    ['an address in upper case', ofEntry({ email: 'Ada@b.c' }), 'waitlist[0].email', 'lower case'],
    ['a team twice', ofTeam({}, { orgCode: 'b' }), 'teams[1].id', '"t1" is already at teams[0]'],
    ['a code twice', ofTeam({}, { id: 't2' }), 'teams[1].orgCode', '"org_acme" is already at teams[0]'],
    ['a subject alone', ofUser({ subject: '1' }), 'users[0]', 'together'],
    ['an identity twice', ofUser(identity, { id: 'u2', ...identity }), 'users[1].subject', '"1" is already'],
    ['a user twice', ofUser({}, {}), 'users[1].id', '"u1" is already at users[0]'],
    ['a session twice', ofSession({}, {}), 'sessions[1].id', '"s1" is already at sessions[0]'],
    ['a project twice', ofProject({}, {}), 'projects[1].id', '"p1" is already at projects[0]'],
    ['an address twice', ofEntry({}, {}), 'waitlist[1].email', '"ada@example.com" is already at waitlist[0]'],
    ['an unknown user', ofSession({}, { id: 's2', userId: 'u9' }), 'sessions[1].userId', 'no user "u9"'],
    ['an unknown team', ofProject({ teamId: 't9' }), 'projects[0].teamId', 'no team "t9"'],
  ])('is refused for %s, with the path and the reason', (_, change, path, reason) => {
    expect(faultsOf({ ...state(), ...change })).toEqual([{ path, reason: expect.stringContaining(reason) }])
  })

  test('is refused with all faults at once, one per line', () => {
    const wrong = {
      ...state(),
      teams: [team, team],
      sessions: [{ ...session, userId: 'u9' }],
      projects: [
        project,
        { ...project, id: 'p2' },
        { ...project, id: 'p3' },
        { ...project, id: 'p4', teamId: 't9' },
      ],
    }
    expect(() => parseState(wrong)).toThrow(
      new StateError([
        { path: 'teams[1].id', reason: '"t1" is already at teams[0]' },
        { path: 'teams[1].orgCode', reason: '"org_acme" is already at teams[0]' },
        { path: 'sessions[0].userId', reason: 'no user "u9"' },
        { path: 'projects[3].teamId', reason: 'no team "t9"' },
      ]),
    )
    expect(new StateError(faultsOf(wrong)).message.split('\n').at(-1)).toBe(
      'projects[3].teamId: no team "t9"',
    )
  })

  test('is refused with every schema fault at once', () => {
    const wrong = {
      version: 3,
      teams: [{ id: '', name: 'x' }],
      projects: [{ ...project, status: 1 }],
      more: 1,
    }
    expect(faultsOf(wrong).map(({ path }) => path)).toEqual([
      'version',
      'teams[0].id',
      'teams[0].orgCode',
      'projects[0].status',
      '',
    ])
  })

  test('may have several projects with one name (4.1, rule 2)', () => {
    const projects = [project, { ...project, id: 'p2' }]
    expect(parseState({ ...state(), projects }).projects).toHaveLength(2)
  })
})
