import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymizeState } from '../../../src/cli/anonymize/anonymize-state.js'
import { readTeamState } from '../../../src/cli/production/team-state.js'
import { nameKey } from '../../../src/contract/project-name.js'
import { emptyState, parseState, type State } from '../../../src/store/state-file.js'
import { anyState } from '../../store/any-state.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'

const secret = 'a secret of the tests, long enough'
const known = ['active', 'paused', 'completed', 'archived', 'create:projects', 'update:projects']

/** Every text of a state that could identify somebody, but for ids. */
const textsOf = ({ teams, users, sessions, projects }: State): string[] =>
  [
    ...teams.map(({ name }) => name),
    ...users.flatMap(({ email, givenName, familyName, picture }) => [email, givenName, familyName, picture]),
    ...sessions.flatMap(({ permissions }) => permissions),
    ...projects.flatMap(({ name, description, status }) => [name, description ?? '', status]),
  ].filter((text) => !known.includes(text))
/** The places where a value stands again: teams, users, codes and projects by their ids. */
const referencesOf = ({ teams, users, sessions, projects }: State): string[][] => [
  [...teams.map(({ id }) => id), ...projects.map(({ teamId }) => teamId)],
  [...users.map(({ id }) => id), ...sessions.map(({ userId }) => userId)],
  [...teams, ...sessions].flatMap(({ orgCode = '' }) => orgCode),
  projects.map(({ id }) => id),
]
const valuesOf = (state: State) => [...referencesOf(state).flat(), ...textsOf(state)]

/** The words of more than three letters or digits. Shorter ones may be made by chance. */
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]{4,}/gu) ?? []
/** What every made address and picture has. */
const fixed = /@x\.test$|^https:\/\/x\.test\//i

/** Which of some texts are equal, by a key: the place of the first one that each is equal to. */
const equalities = (texts: string[], key: (text: string) => string = String) => {
  const keys = texts.map(key)
  return keys.map((each) => keys.indexOf(each))
}

/** What stays: times, counts, known values, and the order of a list, which is by time, then by id. */
const shapeOf = ({ projects, sessions }: State) => ({
  projects: projects.map(({ createdAt, description, status }) => [
    createdAt,
    description === null,
    known.includes(status) && status,
  ]),
  order: projects
    .map(({ id, createdAt }, i) => ({ i, key: `${createdAt} ${id}` }))
    .sort((a, b) => (a.key < b.key ? 1 : -1))
    .map(({ i }) => i),
  sessions: sessions.map(({ userId, orgCode, permissions, ...rest }) => [
    rest,
    permissions.filter((each) => known.includes(each)),
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

  const [before = [], after = []] = [state, made].map((each) =>
    valuesOf(each).map((text) => [...text].length),
  )
  for (const [i, length] of before.entries()) {
    expect(after[i] === 0).toBe(length === 0)
    // The spellings of a name get one length, also where one is composed and another is not.
    expect(after[i]).toBeGreaterThanOrEqual(length / 4)
    expect(after[i]).toBeLessThanOrEqual(4 * length + 16)
  }
  const [names, emails] = [
    ({ projects }: State) => projects.map(({ name }) => name),
    ({ users }: State) => users.map(({ email }) => email),
  ]
  for (const key of [nameKey, String])
    for (const of of [names, emails]) expect(equalities(of(made), key)).toEqual(equalities(of(state), key))
  expect(referencesOf(made).map((each) => equalities(each))).toEqual(
    referencesOf(state).map((each) => equalities(each)),
  )
  expect(shapeOf(made)).toEqual(shapeOf(state))
}

const teams = [{ id: 'team-acme', name: 'Acme', orgCode: 'org_acme' }]
const withProjects = (
  names: string[],
  more: { description?: string | null; status?: string } = {},
): State => ({
  ...emptyState(),
  teams,
  projects: names.map((name, i) => ({
    id: `0198c0de-0000-7000-8000-${String(i).padStart(12, '0')}`,
    ...{ name, description: null, status: 'active', teamId: 'team-acme', ...more },
    createdAt: new Date(Date.UTC(2026, 0, 1) + Math.floor(i / 4)).toISOString(),
  })),
})

/** A text in Unicode tags: invisible, and as readable as ASCII for a program. */
const tags = (text: string) =>
  [...text].map((each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join('')
const word = fc.constantFrom(
  ...['Apollo', 'straße', 'ßßßß', 'ΟΔΟΣ', 'résumé', 'ﬁnal', 'Проект', 'İstanbul', 'K2', 'ǅ', 'a', '----'],
  ...['שלום', 'مشروع', '東京', '한국어', 'ế', '👩‍💻', '🚀', '🇩🇪', '007', '\t"\\', '\u0001', ' '],
  ...[tags('secret'), `🏴${tags('gbeng')}\u{e007f}`, `Apollo${tags('Acme Rockets')}`, 'A\u200bpollo'],
)
/** Spellings of one name: upper and lower case, composed and decomposed, and letters without a single upper case. */
const spellings = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.normalize('NFD'),
  (text: string) => text.replaceAll('ß', 'SS'),
]
const clashingNames = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.subarray(spellings, { minLength: 1 }))
  .map(([words, chosen]) => chosen.map((spell) => spell(`${words.join(' ')} b`)))
const person = fc.record({
  email: fc.constantFrom('ada@acme.example', 'x@y.z', '@@@@', 'ü@bücher.de', 'a@x.test'),
  picture: fc.constantFrom(
    ...[
      '',
      'http://a.b',
      'https://user:secret@host:8080/x?s=%20',
      'ada.png',
      `https://x.test/${tags('ada')}`,
    ],
    ...['data:image/png;base64,iVBORw0KGgo=', 'data:image/ada;name=lovelace,'],
  ),
  givenName: word,
  familyName: word,
})
/** A team with names in many scripts, of which some clash. */
const hardTeam = fc
  .record({
    names: fc.array(fc.oneof(clashingNames, fc.tuple(word)), { maxLength: 4 }),
    people: fc.array(person, { maxLength: 4 }),
    status: fc.constantFrom('active', 'Waiting for Bob'),
    description: fc.oneof(word, fc.constant(null)),
  })
  .map(({ names, people, ...more }) => ({
    ...withProjects(names.flat(), more),
    users: people.map((each, i) => ({ id: `user-${i}`, ...each })),
    sessions: people.map((_, i) => ({
      ...{ id: `session-${i}`, userId: `user-${i}`, orgCode: 'org_acme' },
      permissions: ['create:projects', 'billing:acme'],
    })),
  }))
/** Any state as it is stored, a team of it at a time; and teams that are hard. */
const anyTeam: fc.Arbitrary<() => Promise<State[]>> = fc.oneof(
  anyState.map((all) => async () => {
    const store = createMemoryStore()
    await store.load({ ...all, waitlist: [] })
    return Promise.all(all.teams.map((each) => readTeamState(store, each)))
  }),
  hardTeam.map((state) => async () => [state]),
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

  test('has the same values for the same secret, and others for another', () => {
    const names = ['Apollo', 'APOLLO', 'Gemini', 'Straße']
    const state = withProjects(names)
    const made = anonymizeState(state, secret)
    expect(anonymizeState(state, secret)).toEqual(made)
    const others = new Set(valuesOf(anonymizeState(state, `${secret}!`)))
    expect(valuesOf(made).filter((value) => value && others.has(value))).toEqual([])
    // A project that is added later changes no other.
    const later = anonymizeState(withProjects([...names, 'Mercury']), secret)
    expect(later.projects.slice(0, 4)).toEqual(made.projects)
  })

  test('has addresses and pictures at hosts that cannot exist', () => {
    const people = [
      ['ada@acme.example', 'https://avatars.example/ada.png'],
      ['Ada@ACME.example', 'data:image/png;base64,iVBORw0KGgo='],
    ]
    const users = people.map(([email = '', picture = ''], i) => ({
      ...{ id: `user-${i}`, email, picture, givenName: 'Ada', familyName: '' },
    }))
    const [ada, upper] = anonymizeState({ ...withProjects([]), users }, secret).users
    expect(ada?.email).toMatch(/^[a-z]{9}@x\.test$/)
    expect(upper?.email.toLowerCase()).toBe(ada?.email)
    for (const user of [ada, upper]) expect(user?.picture).toMatch(/^https:\/\/x\.test\/[A-Za-z\d]+$/)
  })
})
