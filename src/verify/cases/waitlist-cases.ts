import type { Case } from './case.js'
import { join } from './requests.js'
import { each, joins, step, table } from './steps.js'

// Joining the waitlist (4.5). The stored addresses are not part of the interface: `waitlist list` shows them.

/** The operations table has its text. */
const refusal = { status: 422 }

/** No addresses; body-cases.ts has what is no text. In JSON, as a request has them. */
const refused: string[] = JSON.parse(String.raw`["", " \t\n", "grace", "grace@", "@example.com",
"grace@hopper@example.com", "a@example.com, b@example.com", "grace hopper@example.com", "grace\u00a0hopper@example.com",
"grace\u007f@example.com", "grace\u0085@example.com", "Grace <grace@example.com>",
"grace@example.com\r\nBcc: all@example.com"]`)

/** The stored ones of these and of other cases are under domains that are reserved for examples (RFC 2606). */
const addresses: string[] =
  JSON.parse(String.raw`["ada@example.com", "ADA@EXAMPLE.COM", "  ada@example.com  ",
"\tAda@Example.Com\n", "\u00a0ada@example.com\u3000", "\ufeffada@example.com\u00a0", "ada@example",
"ada+list@mail.example.com", "o'hara@example.com", "a@b.example", "ü@b.example", "a=b@c.example", "a@-b.example",
"a@1.example", "a@b_c.example", "a@bücher.example", "!#$%&'*+-/=?^_\u0060{|}~@c.example", "a/b@c.example",
"a@b-.example", "\"ada\"@b.example", "a..b@c.example", ".a@b.example", "a@b..example", "a\u200b@b.example"]`)

const long = (char: string, length: number) => `${char.repeat(length)}@example.com`

const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, i]))
const shown = (email: string) =>
  JSON.stringify(email.length > 60 ? `${email.slice(0, 20)}… (${email.length} characters)` : email)

export const waitlistCases: Case[] = [
  ...each(
    [...addresses, long('a', 242), `   ${long('b', 242)}   `],
    '2.3 a waitlist address is trimmed and lower-cased',
    (email) => `${shown(email)} joins the waitlist`,
    (email) => joins({ email }),
  ),
  ...each(
    [...refused, long('a', 243)],
    'responses: waitlist',
    (email) => `${shown(email)} is no address`,
    (email) => joins({ email }, refusal),
  ),
  ...table('responses: waitlist', {
    'A body without an address is refused': [
      joins({}, refusal),
      joins({ Email: 'grace@example.com' }, refusal),
    ],
    'A known address gets the same response as a new one, in any spelling, so sign-ups are not revealed': [
      step(({ data }) => join({ email: `new-${data.projects('acme-owner').length}@example.com` })),
      ...['ada@example.com', 'ada@example.com', ' ADA@example.com '].map((email) =>
        joins({ email }, { sameAs: 0 }),
      ),
    ],
  }),
  ...table('4.5 join the waitlist', {
    'Unknown properties of a sign-up are ignored': [
      joins({ email: 'ada@example.com', name: 'Ada', source: { page: 1 } }),
      joins({ ...many, email: 'ada@example.com' }),
    ],
    'The waitlist needs no session and ignores one': [
      step({ ...join({ email: 'a@example.com' }), as: 'acme-viewer' }),
      step({ ...join({ email: 'b@example.com' }), as: 'expired' }),
      step({ ...join({ email: 'd@example.com' }), cookies: () => ['session=a; session=b'] }),
      step({ ...join({}), as: 'acme-owner' }, refusal),
    ],
  }),
]
