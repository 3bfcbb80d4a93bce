import type { Case } from './case.js'
import { each, joins, step, table } from './case-table.js'
import { emailRequired, joined } from './expectations.js'
import { join } from './requests.js'

// Joining the waitlist (4.5). The stored addresses are not part of the interface: `waitlist list` shows them.

const invalidBodies: Record<string, unknown> = {
  'no email': {},
  null: { email: null },
  'a number': { email: 5 },
  true: { email: true },
  'an array': { email: ['a@example.com'] },
  'an object': { email: { address: 'a@example.com' } },
  'an empty string': { email: '' },
  'white space': { email: ' \t\n' },
  'a word': { email: 'grace' },
  'no domain': { email: 'grace@' },
  'no name': { email: '@example.com' },
  'two signs': { email: 'grace@hopper@example.com' },
  'two addresses': { email: 'a@example.com, b@example.com' },
  'white space inside': { email: 'grace hopper@example.com' },
  'a no-break space inside': { email: 'grace\u00a0hopper@example.com' },
  'a control character': { email: 'grace\u007f@example.com' },
  'a display name': { email: 'Grace <grace@example.com>' },
  'an address of 255 characters': { email: `${'a'.repeat(243)}@example.com` },
  'U+0000': { email: 'grace\u0000@example.com' },
  'a lone surrogate': { email: 'grace\ud83d@example.com' },
  'a header injection': { email: 'grace@example.com\r\nBcc: all@example.com' },
  'the field name in another case': { Email: 'grace@example.com' },
}

/** The stored ones of these and of other cases are under domains that are reserved for examples (RFC 2606). */
const addresses = [
  'ada@example.com',
  'ADA@EXAMPLE.COM',
  '  ada@example.com  ',
  '\tAda@Example.Com\n',
  'ada+list@mail.example.com',
  "o'hara@example.com",
  'a@b.example',
  'ü@b.example',
  'a=b@c.example',
  'a/b@c.example',
  'a@b-.example',
  `${'a'.repeat(242)}@example.com`,
  `   ${'b'.repeat(242)}@example.com   `,
  '\u00a0ada@example.com\u3000',
  '"ada"@b.example',
  'a..b@c.example',
  '.a@b.example',
  'ada@example',
]

const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, i]))

export const waitlistCases: Case[] = [
  ...each(
    addresses,
    '2.3 a waitlist address is trimmed and lower-cased',
    (email) =>
      `${JSON.stringify(email.length > 60 ? `${email.slice(0, 20)}… (${email.length} characters)` : email)} joins the waitlist`,
    (email) => joins({ email }),
  ),
  ...each(
    Object.entries(invalidBodies),
    'responses: waitlist',
    ([what]) => `A body with ${what} is refused with 422 email_required`,
    ([, json]) => joins(json, emailRequired(422)),
  ),
  ...table('responses: waitlist', {
    'A known address gets the same response as a new one, in any spelling, so sign-ups are not revealed': [
      step(({ data }) => join({ email: `new-${data.projects('acme-owner').length}@example.com` }), joined),
      ...['ada@example.com', 'ada@example.com', ' ADA@example.com '].map((email) =>
        joins({ email }, { ...joined, sameAs: 0 }),
      ),
    ],
  }),
  ...table('4.5 join the waitlist', {
    'Unknown properties of a sign-up are ignored': [
      joins({ email: 'ada@example.com', name: 'Ada', source: { page: 1 } }),
      joins({ ...many, email: 'ada@example.com' }),
    ],
    'The waitlist needs no session and ignores one': [
      step({ ...join({ email: 'a@example.com' }), as: 'acme-viewer' }, joined),
      step({ ...join({ email: 'b@example.com' }), as: 'expired' }, joined),
      step({ ...join({ email: 'c@example.com' }), cookies: () => ['session=nobody'] }, joined),
      step({ ...join({ email: 'd@example.com' }), cookies: () => ['session=a; session=b'] }, joined),
      step({ ...join({}), as: 'acme-owner' }, emailRequired(422)),
    ],
  }),
]
