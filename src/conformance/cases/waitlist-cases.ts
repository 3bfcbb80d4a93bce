import type { Case } from './case.js'
import { join, table } from './steps.js'

// Joining the waitlist (4.5). The stored addresses are not part of the interface: `waitlist list` shows them. The cases
// send fewer sign-ups than a service accepts of a client in a minute, by default.

const long = (char: string, length: number) => `${char.repeat(length)}@example.com`

/** No addresses; body-cases.ts has what is no text. In JSON, as a request has them. */
const refused: string[] = JSON.parse(String.raw`["grace\u0001@example.com", " \t\n", "grace", "grace@",
"\"grace@hopper\"@example.com", "a@example.com, b@example.com", "grace hopper@example.com", "grace\u00a0hopper@example.com",
"@example.com", "grace\u007f@example.com", "grace\u0085@example.com", "Grace <grace@example.com>",
"x\ngrace@example.com\n<x>"]`).concat(long('a', 243))

/** Each has several unusual parts. The stored ones are under domains that are reserved for examples (RFC 2606). */
const addresses: string[] = JSON.parse(String.raw`["ada@example.com", "\tAda@Example.Com\n",
"\u00a0ada@example.com\u3000", "\ufeffada@example.com\u00a0", "a@example", "ada+list@mail.example.com",
"!#$%&'*+-/=?^_\u0060{|}~@1.example", "ü😀@xn--x.bücher.example", "a=b/c@-_${'b'.repeat(64)}-.example", "\"ada\"..(b),;:\\[x]<y>@[b]..example",
".a\u200b.@b.example."]`).concat(long('😀', 242), `${' '.repeat(99)}${long('ü', 242)}${' '.repeat(99)}`)

const many = {
  name: 'x',
  id: 1,
  status: 'confirmed',
  emails: ['x@example.com'],
  session: null,
  source: { name: 'x' },
}

export const waitlistCases: Case[] = [
  ...table('2.3 a waitlist address is trimmed and lower-cased', {
    'Any address joins the waitlist': [addresses.map((email) => join({ email }))],
  }),
  ...table('responses: waitlist', {
    'What is no address is refused': [
      [...refused.map((email) => ({ email })), {}, { Email: 'grace@example.com' }].map((json) =>
        join(json, { status: 422 }),
      ),
    ],
    'A known address gets the same response as a new one, in any spelling, so sign-ups are not revealed': [
      ({ data }) => join({ email: `new-${data.projects('acme-owner').length}@example.com` }),
      ...['ada@example.com', 'ada@example.com', ' ADA@example.com '].map((email) =>
        join({ email }, { sameAs: 0 }),
      ),
    ],
  }),
  ...table('4.5 join the waitlist', {
    'Unknown properties of a sign-up are ignored': join({ ...many, email: 'ada@example.com' }),
    'The waitlist needs no session and ignores one, and takes no address from the query': [
      { ...join({ email: 'a@example.com' }), as: 'acme-viewer' },
      { ...join({ email: 'b@example.com' }), as: 'expired' },
      { ...join({ email: 'd@example.com' }), cookies: () => ['session=a; session=b'] },
      { ...join({}, { status: 422 }), path: '/v1/waitlist?email=ada@example.com', as: 'acme-owner' },
    ],
  }),
]
