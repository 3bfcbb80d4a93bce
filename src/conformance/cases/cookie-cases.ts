import { row } from './caller-cases.js'
import type { Case, CookieOf, Expectation } from './case.js'
import { each, failure, list, own, percentEncoded, table, update, words } from './steps.js'

// Which Cookie headers are a session, and which only look like one (section 5).

type Cookies = (cookieOf: CookieOf) => string[]

const owner = (of: CookieOf) => of('acme-owner').replace('session=', '')

const replaceChar = (at: number, text: string) =>
  `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`

/** The start of the owner's cookie and the end of another one. */
const splice =
  (at: (cookie: string) => number): Cookies =>
  (of) => {
    const [first, second] = [of('acme-owner'), of('globex-owner')]
    return [first.slice(0, at(first)) + second.slice(at(second))]
  }

const spliced: Record<string, Cookies> = {
  'the start of one session and the end of another': splice((cookie) => cookie.lastIndexOf('.')),
  'half of one session and half of another': splice(({ length }) => length >> 1),
}

const otherNames = words(
  'Session SESSION session_id sessionid sid connect.sid token auth session[] session.0 sessions xsession my-session %73ession',
)

/** A cookie with another value, made from the owner's. */
const changed =
  (change: (value: string) => string): Cookies =>
  (of) => [`session=${change(owner(of))}`]

/** Cookies without a valid session. */
const invalid: Record<string, Cookies> = {
  'an empty cookie': () => ['session='],
  'a cookie of white space': () => ['session=%20'],
  'an unknown session': () => ['session=nobody-knows-this-one'],
  'a cookie with invalid percent-encoding': () => ['session=%E0%A4%A'],
  'a cookie with non-ASCII characters': () => ['session=%F0%9F%8D%8F'],
  'a cookie named like an object property': () => ['session=__proto__'],
  'a very long cookie': () => [`session=${'a'.repeat(6000)}`],
  'a cookie with a character added': changed((value) => `${value}x`),
  'a cookie with a character removed': changed((value) => value.slice(0, -1)),
  'a cookie that is cut in half': changed((value) => value.slice(0, value.length >> 1)),
  'a cookie with a changed character': changed((value) => replaceChar(2, value)),
  'a cookie with its last character changed': changed((value) => replaceChar(value.length - 1, value)),
  'a cookie in capitals': changed((value) => value.toUpperCase()),
  'a cookie in quotes': changed((value) => `"${value}"`),
  'a cookie after white space': changed((value) => `%20${value}`),
  'a cookie before a line break': changed((value) => `${value}%0A`),
  'a cookie after "Bearer"': changed((value) => `Bearer%20${value}`),
  'a cookie after a comma': (of) => [`theme=dark, ${of('acme-owner')}`],
  'a cookie that is percent-encoded twice': changed((value) => percentEncoded(percentEncoded(value))),
  'the same cookie twice': (of) => [`${of('acme-owner')}; ${of('acme-owner')}`],
  'two different cookies': (of) => [`${of('acme-owner')}; ${of('globex-owner')}`],
  'two Cookie headers': (of) => [of('acme-owner'), of('acme-owner')],
}

const rowsOf = (all: Record<string, Cookies>): Case[] =>
  Object.entries(all).flatMap(([name, cookies]) => row(name, { cookies }))

const listOf = (cookies: Cookies, expect?: Expectation) => ({ ...list('acme-owner', expect), cookies })
const noSession = failure('AUTH_REQUIRED')

export const cookieCases: Case[] = [
  // One at a time: of two that were taken for the session, neither would count.
  ...each(
    [otherNames, words('__Host-session __Secure-session')],
    'callers: no valid session',
    (names) => `A session is not taken from ${names}`,
    // A page cannot set the latter without TLS.
    (names, i) =>
      names.map((name) => ({ ...listOf((of) => [`${name}=${owner(of)}`], noSession), raw: i > 0 })),
  ),
  // In the mock a cookie is a name, and such a name may be another persona's.
  ...rowsOf(spliced).map((testCase): Case => ({ ...testCase, mode: 'production' })),
  ...rowsOf(invalid),
  ...table(
    { requirement: 'modes: cookies', mode: 'production' },
    {
      'A name that can be guessed is no session': words('acme-owner active user-ada org_acme').map((name) =>
        listOf(() => [`session=${name}`], noSession),
      ),
    },
  ),
  ...table('modes: cookies', {
    'Of several session cookies, the only one that is valid counts': ['', 'unknown', '%E0%A4%A'].flatMap(
      (other) => [
        listOf((of) => [`${of('acme-owner')}; session=${other}`]),
        listOf((of) => [`session=${other}; ${of('acme-owner')}`]),
      ],
    ),
    'The session cookie is found among other cookies, divided by a semicolon alone, and percent-encoded': [
      listOf((of) => [`theme={"a b":[1]}; a=b=c; d="e"; none; =x; bad=%zz; ${of('acme-owner')}; sessions=3`]),
      listOf((of) => [
        `${Array.from({ length: 60 }, (_, i) => `c${i}=${'x'.repeat(70)}`).join('; ')}; ${of('acme-owner')}`,
      ]),
      listOf((of) => [`theme=dark;;${of('acme-owner')};a=b;`]),
      listOf(changed(percentEncoded)),
    ],
    'A cookie may have no value, names of headers may be in capitals, and a client may ask to go on': {
      ...update('acme-owner', own),
      bytes: '{}',
      cookies: () => [],
      type: null,
      headers: { Cookie: 'x; session={session}', 'Content-Type': 'application/json', Expect: '100-continue' },
      raw: true,
    },
  }),
]
