import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymizeState } from '../../../src/cli/anonymize/anonymize-state.js'
import { readTeamState } from '../../../src/cli/production/team-state.js'
import { projectBytes } from '../../../src/contract/limits.js'
import { nameKey } from '../../../src/contract/project-name.js'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { emptyState, parseState, type State } from '../../../src/store/state-file.js'
import { anyState } from '../../store/any-state.js'

const secret = 'a secret of the tests, long enough'

const knownStatuses = ['active', 'paused', 'completed', 'archived']
const knownPermissions = ['create:projects', 'update:projects']
const without = (known: string[], values: string[]) => values.filter((value) => !known.includes(value))

/** Every value of a state that could identify somebody. Times and the names of personas are not among them. */
const valuesOf = ({ teams, users, sessions, projects }: State): string[] => [
  ...teams.flatMap(({ id, name, orgCode }) => [id, name, orgCode]),
  ...users.flatMap(({ id, email, givenName, familyName, picture }) => [
    ...[id, email, givenName, familyName, picture],
  ]),
  ...sessions.flatMap(({ userId, orgCode = '', permissions }) => [
    userId,
    orgCode,
    ...without(knownPermissions, permissions),
  ]),
  ...projects.flatMap(({ id, name, description, status, teamId }) => [
    ...[id, name, description ?? '', teamId],
    ...without(knownStatuses, [status]),
  ]),
]

/** The length of a text in every unit that a limit counts. */
const lengthsOf = (text: string) => [text.length, [...text].length, projectBytes({ name: text })]
const isWhiteSpace = (text: string) => text.trim() === ''

/** Which of some texts are equal, by a key: the place of the first one that each is equal to. */
const equalities = (texts: string[], key: (text: string) => string) => {
  const keys = texts.map(key)
  return keys.map((each) => keys.indexOf(each))
}

function expectAnonymized(state: State, made: State) {
  expect(parseState(JSON.parse(JSON.stringify(made)))).toEqual(made)
  const [before, after] = [valuesOf(state), valuesOf(made)]
  const originals = new Set(before.filter((value) => value.length > 3 && !isWhiteSpace(value)))
  expect(after.filter((value) => originals.has(value))).toEqual([])
  expect(after.map(lengthsOf)).toEqual(before.map(lengthsOf))
  const names = [state, made].map(({ projects }) => projects.map(({ name }) => name)) as [string[], string[]]
  for (const key of [nameKey, (text: string) => text]) {
    expect(equalities(names[1], key)).toEqual(equalities(names[0], key))
  }
  // Whatever differs or is equal at all still does.
  const idsOf = ({ projects, users }: State) => [...projects, ...users].map(({ id }) => id)
  for (const each of [idsOf, ({ users }: State) => users.map(({ email }) => email)]) {
    expect(equalities(each(made), String)).toEqual(equalities(each(state), String))
  }
  const shape = ({ projects, sessions }: State) => ({
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
  expect(shape(made)).toEqual(shape(state))
}

/** Spellings of one name: upper and lower case, composed and decomposed, and the letters that have no single upper case. */
const respell = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.normalize('NFD'),
  (text: string) => text.replaceAll('ß', 'SS'),
]

const word = fc.constantFrom(
  ...[
    'Apollo',
    'straße',
    'Äpfel',
    'ΟΔΟΣ',
    'résumé',
    'ﬁnal',
    'Ėlan',
    'Проект',
    'İstanbul',
    'K2',
    'ǅ',
    'naïve',
  ],
  ...[
    'שלום',
    'مشروع',
    '東京',
    'ひらがな',
    'カタカナ',
    '한국어',
    'हिन्दी',
    'ไทย',
    'ế',
    'e\u0301\u0323',
    '👩‍💻',
    '🚀',
    '🇩🇪',
    '❤️',
  ],
  ...['a', 'B2', '----', '!?', '007', '1234', '\t"\\', '=1+1', '\u0301\u0301\u0301\u0301', '\u0001', '￼￼￼￼'],
)
/** Spellings of one name, in the order of creation. */
const clashingNames = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 4 }),
    fc.subarray(respell, { minLength: 1, maxLength: respell.length }),
  )
  .map(([words, spellings]) => spellings.map((spell) => spell(`${words.join(' ')} b`)))

const email = fc.constantFrom(
  'ada@acme.example',
  'Ada@Acme.example',
  'x@y.z',
  'a@b',
  '@@@@',
  'ü@bücher.de',
  'bob@x.test',
)
const picture = fc.constantFrom(
  ...[
    '',
    'https://avatars.example/ada.png?s=%20',
    'http://a.b',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:,',
  ],
  ...['https://x.test', 'ada.png', 'https://user:secret@host:8080/x'],
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

describe('an anonymised state', () => {
  test('has no original value of more than three characters, and lengths, clashes, times and counts stay', async () => {
    await fc.assert(
      fc.asyncProperty(anyState, async (all) => {
        const store = createMemoryStore()
        await store.load({ ...all, waitlist: [] })
        for (const team of all.teams) {
          const state = await readTeamState(store, team)
          expectAnonymized(state, anonymizeState(state, secret))
        }
      }),
      { numRuns: 30 },
    )
  })

  test('does so for names in all scripts, and those that clash', () => {
    fc.assert(
      fc.property(team, (state) => expectAnonymized(state, anonymizeState(state, secret))),
      { numRuns: 150 },
    )
  })

  test('has another name for each name, also where there are hardly others of the length', () => {
    const names = [...'abcdefghijklmnopqrstuvwxyz0123456789']
    for (let i = 0; i < 1000; i += 1) names.push(String(i).padStart(3, '0'), String(i).padStart(4, '0'))
    const state = withProjects(names)
    expectAnonymized(state, anonymizeState(state, secret))
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

  test.each([
    ['Website relaunch', /^[A-Z][a-z]{6} [a-z]{8}$/],
    ['(R&D) WEB-2026', /^\([A-Z]&[A-Z]\) [A-Z]{3}-\d{4}$/],
    ['東京オフィス', /^\p{Script=Han}{2}\p{Script=Katakana}{4}$/u],
    ['שלום עולם', /^\p{Script=Hebrew}{4} \p{Script=Hebrew}{4}$/u],
    ['مشروع ٣', /^\p{Script=Arabic}{5} [٠-٩]$/u],
    ['Проект Альфа', /^\p{Script=Cyrillic}{6} \p{Script=Cyrillic}{5}$/u],
    ['한국어', /^\p{Script=Hangul}{3}$/u],
    ['re\u0301sume\u0301 élan', /^[a-z]{2}\u0301[a-z]{4}\u0301 [^a-z][a-z]{3}$/],
    ['👩‍💻 🚀', /^👨‍💻 \p{Emoji_Presentation}$/u],
  ])('has a name in the script and with the signs of %s', (name, pattern) => {
    const [project] = anonymizeState(withProjects([name]), secret).projects
    expect(project?.name).toMatch(pattern)
  })

  test('has addresses and pictures at hosts that cannot exist', () => {
    const people = [
      ['ada@acme.example', 'https://avatars.example/ada.png'],
      ['Ada@ACME.example', 'http://a.example'],
      ['x@gmail.com', 'data:image/png;base64,iVBORw0KGgo='],
      ['bob@a.de', 'ada.png'],
    ]
    const state: State = {
      ...withProjects([]),
      users: people.map(([email = '', picture = ''], i) => ({
        ...{ id: `user-${i}`, email, picture, givenName: 'Ada', familyName: '' },
      })),
    }
    const { users } = anonymizeState(state, secret)
    const [ada, upper, x, bob] = users
    expect(ada?.email).toMatch(/^[a-z]{3}@[a-z]{4}\.[a-z]{2}\.test$/)
    expect(upper?.email.toLowerCase()).toBe(ada?.email)
    expect(x?.email).toMatch(/^[a-z]@[a-z]{4}\.test$/)
    expect(bob?.email).toMatch(/^[a-z]{3}@[a-z]{4}$/)
    expect(ada?.picture).toMatch(/^https:\/\/[a-z]{7}\.[a-z]{2}\.test\/[a-z]{3}\.[a-z]{3}$/)
    expect(x?.picture).toMatch(/^data:image\/png;base64,[A-Za-z\d]{11}=$/)
    expect(users.map(({ givenName, familyName }) => [givenName, familyName])).toEqual(
      users.map(() => [ada?.givenName, '']),
    )
  })
})
