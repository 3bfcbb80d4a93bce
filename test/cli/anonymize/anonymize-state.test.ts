import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymizeState } from '../../../src/cli/anonymize/anonymize-state.js'
import { readTeamState } from '../../../src/cli/production/team-state.js'
import { nameKey } from '../../../src/contract/project-name.js'
import { emptyState, parseState, type State } from '../../../src/store/state-file.js'
import { anyState } from '../../store/any-state.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'

const secret = 'a secret of the tests, long enough'

const knownStatuses = ['active', 'paused', 'completed', 'archived']
const knownPermissions = ['create:projects', 'update:projects']
const without = (known: string[], values: string[]) => values.filter((value) => !known.includes(value))

const idsOf = ({ teams, users, projects }: State) => [...teams, ...users, ...projects].map(({ id }) => id)
// A project's id may be that of a user by chance, and need not be afterwards: projects of one time keep their order.
const teamIdsOf = ({ teams, projects }: State) => [
  ...teams.map(({ id }) => id),
  ...projects.map(({ teamId }) => teamId),
]
const userIdsOf = ({ users, sessions }: State) => [
  ...users.map(({ id }) => id),
  ...sessions.map(({ userId }) => userId),
]
const projectIdsOf = ({ projects }: State) => projects.map(({ id }) => id)
/** Every text of a state that could identify somebody, but for ids. */
const textsOf = ({ teams, users, sessions, projects }: State): string[] => [
  ...teams.map(({ name }) => name),
  ...users.flatMap(({ email, givenName, familyName, picture }) => [email, givenName, familyName, picture]),
  ...sessions.flatMap(({ permissions }) => without(knownPermissions, permissions)),
  ...projects.flatMap(({ name, description, status }) => [
    ...[name, description ?? ''],
    ...without(knownStatuses, [status]),
  ]),
]
const codesOf = ({ teams, sessions }: State) => [...teams, ...sessions].flatMap(({ orgCode = '' }) => orgCode)
const valuesOf = (state: State) => [...idsOf(state), ...codesOf(state), ...textsOf(state)]

/** The words of more than three letters or digits. Shorter ones may be made by chance. */
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{4,}/gu) ?? []
/** What every made address and picture has. */
const fixed = /@x\.test$|^https:\/\/x\.test\//i

/** Which of some texts are equal, by a key: the place of the first one that each is equal to. */
const equalities = (texts: string[], key: (text: string) => string = String) => {
  const keys = texts.map(key)
  return keys.map((each) => keys.indexOf(each))
}

const shapeOf = ({ projects, sessions }: State) => ({
  projects: projects.map(({ createdAt, description, status }) => [
    createdAt,
    description === null,
    knownStatuses.includes(status) && status,
  ]),
  // In the order of a list: by time, then by id.
  order: projects
    .map(({ id, createdAt }, i) => ({ i, key: `${createdAt} ${id}` }))
    .sort((a, b) => (a.key < b.key ? 1 : -1))
    .map(({ i }) => i),
  sessions: sessions.map(({ userId, orgCode, permissions, ...rest }) => [
    rest,
    permissions.filter((each) => knownPermissions.includes(each)),
  ]),
})

function expectAnonymized(state: State, made: State) {
  expect(parseState(JSON.parse(JSON.stringify(made)))).toEqual(made)
  const originals = new Set(valuesOf(state).filter((value) => value.length > 3))
  expect(valuesOf(made).filter((value) => originals.has(value))).toEqual([])
  const words = new Set(valuesOf(state).flatMap(wordsOf))
  const madeWords = textsOf(made).flatMap((text) => wordsOf(text.replace(fixed, '')))
  expect(madeWords.filter((word) => words.has(word))).toEqual([])
  // Marks, invisible characters and Unicode tags are beyond ASCII.
  for (const text of valuesOf(made)) expect(text).toMatch(/^[ -~]*$/)

  const lengths = [state, made].map((each) => valuesOf(each).map((text) => [...text].length))
  for (const [i, before] of (lengths[0] ?? []).entries()) {
    const after = lengths[1]?.[i] ?? Number.NaN
    expect(after === 0).toBe(before === 0)
    // The spellings of a name get one length, also where one is composed and another is not.
    expect(after).toBeGreaterThanOrEqual(before / 4)
    expect(after).toBeLessThanOrEqual(4 * before + 16)
  }
  for (const key of [nameKey, (text: string) => text]) {
    const namesOf = ({ projects }: State) => projects.map(({ name }) => name)
    expect(equalities(namesOf(made), key)).toEqual(equalities(namesOf(state), key))
    const emailsOf = ({ users }: State) => users.map(({ email }) => email)
    expect(equalities(emailsOf(made), key)).toEqual(equalities(emailsOf(state), key))
  }
  for (const referring of [teamIdsOf, userIdsOf, projectIdsOf])
    expect(equalities(referring(made))).toEqual(equalities(referring(state)))
  expect(equalities(codesOf(made))).toEqual(equalities(codesOf(state)))
  expect(shapeOf(made)).toEqual(shapeOf(state))
}

/** A text in Unicode tags: invisible, and as readable as ASCII for a program. */
const tags = (text: string) =>
  [...text].map((each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join('')

/** Spellings of one name: upper and lower case, composed and decomposed, and letters that have no single upper case. */
const respell = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.normalize('NFD'),
  (text: string) => text.replaceAll('ß', 'SS'),
]
const word = fc.constantFrom(
  ...['Apollo', 'straße', 'ßßßß', 'ΟΔΟΣ', 'résumé', 'ﬁnal', 'Проект', 'İstanbul', 'K2', 'ǅ', 'a', '----'],
  ...['שלום', 'مشروع', '東京', '한국어', 'ế', '👩‍💻', '🚀', '🇩🇪', '007', '\t"\\', '\u0001', ' '],
  ...[tags('secret'), `🏴${tags('gbeng')}\u{e007f}`, `Apollo${tags('Acme Rockets')}`, 'A\u200bpollo'],
)
/** Spellings of one name, in the order of creation. */
const clashingNames = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.subarray(respell, { minLength: 1, maxLength: respell.length }),
  )
  .map(([words, spellings]) => spellings.map((spell) => spell(`${words.join(' ')} b`)))

const email = fc.constantFrom('ada@acme.example', 'x@y.z', '@@@@', 'ü@bücher.de', 'a@x.test')
const picture = fc.constantFrom(
  ...[
    '',
    'https://avatars.example/ada.png?s=%20',
    'http://a.b',
    'https://user:secret@host:8080/x',
    'ada.png',
  ],
  ...['data:image/png;base64,iVBORw0KGgo=', 'data:image/ada;name=lovelace,', `https://x.test/${tags('ada')}`],
)

/** A team with names in many scripts, of which some clash. */
const team: fc.Arbitrary<State> = fc
  .record({
    names: fc.array(fc.oneof(clashingNames, fc.tuple(word)), { maxLength: 4 }),
    people: fc.array(fc.record({ email, picture, givenName: word, familyName: word }), { maxLength: 4 }),
    status: fc.constantFrom('active', 'paused', 'Waiting for Bob', 'done'),
  })
  .map(({ names, people, status }) => ({
    ...emptyState(),
    teams: [{ id: 'team-acme', name: 'Acme', orgCode: 'org_acme' }],
    users: people.map((person, i) => ({ id: `user-${i}`, ...person })),
    sessions: people.map((_, i) => ({
      id: `session-${i}`,
      userId: `user-${i}`,
      orgCode: 'org_acme',
      permissions: ['create:projects', 'billing:acme'],
    })),
    projects: names.flat().map((name, i) => ({
      id: `0198c0de-0000-7000-8000-0000000000${String(i).padStart(2, '0')}`,
      name,
      description: i % 2 ? null : name.repeat(3),
      status,
      teamId: 'team-acme',
      createdAt: `2026-01-01T00:00:00.00${Math.floor(i / 4)}Z`,
    })),
  }))

const withProjects = (names: string[]): State => ({
  ...emptyState(),
  teams: [{ id: 'team-acme', name: 'Acme', orgCode: 'org_acme' }],
  projects: names.map((name, i) => ({
    id: `0198c0de-0000-7000-8000-${String(i).padStart(12, '0')}`,
    ...{ name, description: null, status: 'active', teamId: 'team-acme' },
    createdAt: new Date(Date.UTC(2026, 0, 1) + i).toISOString(),
  })),
})

/** Any state as it is stored, a team of it at a time; and teams with names, addresses and pictures that are hard. */
const anyTeam: fc.Arbitrary<() => Promise<State[]>> = fc.oneof(
  anyState.map((all) => async () => {
    const store = createMemoryStore()
    await store.load({ ...all, waitlist: [] })
    return Promise.all(all.teams.map((each) => readTeamState(store, each)))
  }),
  team.map((state) => async () => [state]),
)

describe('an anonymised state', () => {
  test('has nothing of the original, and rough lengths, clashes, times and counts stay', async () => {
    await fc.assert(
      fc.asyncProperty(anyTeam, async (read) => {
        for (const state of await read()) expectAnonymized(state, anonymizeState(state, secret))
      }),
      { numRuns: 200 },
    )
  })

  test('has another name for each name, also where there are hardly others of the length', () => {
    const names = [...'abcdefghijklmnopqrstuvwxyz0123456789']
    for (let i = 0; i < 1000; i += 1) names.push(String(i).padStart(3, '0'), String(i).padStart(4, '0'))
    const state = withProjects(names)
    expectAnonymized(state, anonymizeState(state, secret))
  })

  test('has other words than a state that has most of the words that it would choose', () => {
    const described = (texts: string[]) => {
      const state = withProjects(texts.map((_, i) => `Project ${i}`))
      return {
        ...state,
        projects: state.projects.map((project, i) => ({ ...project, description: texts[i] ?? '' })),
      }
    }
    const first = described(Array.from({ length: 40 }, (_, i) => 'Original '.repeat(20) + i))
    const words = anonymizeState(first, secret).projects.map(({ description }) => description ?? '')
    const second = described(words)
    expectAnonymized(second, anonymizeState(second, secret))
  })

  test('has the same values for the same secret, and others for another', () => {
    const state = withProjects(['Apollo', 'APOLLO', 'Gemini', 'Straße'])
    const made = anonymizeState(state, secret)
    expect(anonymizeState(state, secret)).toEqual(made)
    const others = new Set(valuesOf(anonymizeState(state, `${secret}!`)))
    expect(valuesOf(made).filter((value) => value && others.has(value))).toEqual([])
    // A project that is added later changes no other.
    const { projects } = withProjects(['Apollo', 'APOLLO', 'Gemini', 'Straße', 'Mercury'])
    expect(anonymizeState({ ...state, projects }, secret).projects.slice(0, 4)).toEqual(made.projects)
  })

  test('has addresses and pictures at hosts that cannot exist', () => {
    const people = [
      ['ada@acme.example', 'https://avatars.example/ada.png'],
      ['Ada@ACME.example', 'data:image/png;base64,iVBORw0KGgo='],
    ]
    const users = people.map(([email = '', picture = ''], i) => ({
      ...{ id: `user-${i}`, email, picture, givenName: 'Ada', familyName: '' },
    }))
    const made = anonymizeState({ ...withProjects([]), users }, secret).users
    const [ada, upper] = made
    expect(ada?.email).toMatch(/^[a-z]{9}@x\.test$/)
    expect(upper?.email.toLowerCase()).toBe(ada?.email)
    expect(upper?.email).not.toBe(ada?.email)
    for (const { picture } of made) expect(picture).toMatch(/^https:\/\/x\.test\/[A-Za-z\d]+$/)
    expect(made.map(({ givenName, familyName }) => [givenName, familyName])).toEqual(
      made.map(() => [ada?.givenName, '']),
    )
  })
})
