import type { Case } from './case.js'
import { emailRequired, joined } from './expectations.js'
import { join, step } from './requests.js'

// Joining the waitlist (4.5). What is stored is the operator's to see: `waitlist list` shows it.

const notAnAddress: [string, unknown][] = [
  ['no email', {}],
  ['null', { email: null }],
  ['a number', { email: 5 }],
  ['true', { email: true }],
  ['an array', { email: ['a@example.com'] }],
  ['an object', { email: { address: 'a@example.com' } }],
  ['an empty string', { email: '' }],
  ['white space', { email: ' \t\n' }],
  ['a word', { email: 'grace' }],
  ['no domain', { email: 'grace@' }],
  ['no name', { email: '@example.com' }],
  ['two signs', { email: 'grace@hopper@example.com' }],
  ['two addresses', { email: 'a@example.com, b@example.com' }],
  ['white space inside', { email: 'grace hopper@example.com' }],
  ['a display name', { email: 'Grace <grace@example.com>' }],
  ['U+0000', { email: 'grace\u0000@example.com' }],
  ['a lone surrogate', { email: 'grace\ud83d@example.com' }],
  ['a header injection', { email: 'grace@example.com\r\nBcc: all@example.com' }],
  ['another case of the field', { Email: 'grace@example.com' }],
]

const addresses = [
  'ada@example.com',
  'ADA@EXAMPLE.COM',
  '  ada@example.com  ',
  '\tAda@Example.Com\n',
  'ada+list@mail.example.co.uk',
  "o'hara@example.com",
  'a@b.example',
]

export const waitlistCases: Case[] = [
  ...addresses.map(
    (email): Case => ({
      title: `${JSON.stringify(email)} joins the waitlist`,
      requirement: '2.3 a waitlist address is trimmed and lower-cased',
      steps: [step(join({ email }), joined)],
    }),
  ),
  {
    title: 'A repeated address gets the same answer, in any spelling: sign-ups are not revealed',
    requirement: 'answers: waitlist',
    steps: [
      step(join({ email: 'ada@example.com' }), joined),
      ...['ada@example.com', ' ADA@example.com ', 'grace@example.com'].map((email) =>
        step(join({ email }), ({ answers }) => ({ ...joined, text: answers[0]?.text ?? '' })),
      ),
    ],
  },
  {
    title: 'Two sign-ups of one address at the same time are both answered with ok',
    requirement: 'answers: waitlist',
    steps: [
      { concurrent: Array.from({ length: 4 }, () => step(join({ email: 'at-once@example.com' }), joined)) },
      step(join({ email: 'at-once@example.com' }), joined),
    ],
  },
  ...notAnAddress.map(
    ([what, json]): Case => ({
      title: `An object with ${what} is 422 email_required`,
      requirement: 'answers: waitlist',
      steps: [step(join(json), emailRequired(422))],
    }),
  ),
  {
    title: 'Further properties of a sign-up are ignored',
    requirement: '4.5 join the waitlist',
    steps: [step(join({ email: 'ada@example.com', name: 'Ada', source: { page: 1 } }), joined)],
  },
  {
    title: 'The waitlist asks for no session, and takes no notice of one',
    requirement: '4.5 join the waitlist',
    steps: [
      step({ ...join({ email: 'a@example.com' }), as: 'acme-viewer' }, joined),
      step({ ...join({ email: 'b@example.com' }), as: 'expired' }, joined),
      step({ ...join({ email: 'c@example.com' }), cookies: () => ['session=nobody'] }, joined),
      step({ ...join({ email: 'd@example.com' }), cookies: () => ['session=a; session=b'] }, joined),
      step({ ...join({}), as: 'acme-owner' }, emailRequired(422)),
    ],
  },
]
