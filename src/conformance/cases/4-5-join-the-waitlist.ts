import type { Case } from '../case.js'
import { expectSame, expectStatus } from '../expect.js'
import { join } from '../requests.js'

// 4.5 Join the waitlist. The interface does not show the stored entry; the tests of the project look into the store. The
// cases send fewer sign-ups than a service accepts of a client in a minute by default, and addresses under domains that
// are reserved for examples (RFC 2606).

const long = (char: string, length: number) => `${char.repeat(length)}@example.com`

export const waitlistCases: Case[] = [
  {
    title: 'Any address joins the waitlist, whatever white space is around it',
    requirement: '2.3 a waitlist address is trimmed and lower-cased',
    write: true,
    async play({ send }) {
      const addresses = [
        'ada@example.com',
        '\tAda@Example.Com\n',
        '\u00a0ada@example.com\u3000',
        'a@example',
        'ada+list@mail.example.com',
        "!#$%&'*+-/=?^_`{|}~@1.example",
        'ü😀@bücher.example',
        'a=b/c@b-.example',
        '"ada"..(b),;:\\[x]<y>@[b]..example',
        long('ü', 242),
        `${' '.repeat(99)}${long('b', 242)}${' '.repeat(99)}`,
      ]
      for (const email of addresses) expectStatus(await send(join({ email })), 200)
    },
  },
  {
    title: 'What is no address is refused',
    requirement: 'responses: waitlist',
    write: true,
    async play({ send }) {
      const refused = [
        ' \t\n',
        '',
        'grace',
        'grace@',
        '@example.com',
        'a@example.com, b@example.com',
        '"grace@hopper"@example.com',
        'grace hopper@example.com',
        'grace\u00a0hopper@example.com',
        'grace\u0001@example.com',
        'grace\u0085@example.com',
        '\ud83d@example.com',
        long('a', 243),
      ]
      for (const email of [...refused, null, 5, ['ada@example.com'], {}])
        expectStatus(await send(join({ email })), 422)
      for (const json of [{}, { Email: 'grace@example.com' }]) expectStatus(await send(join(json)), 422)
    },
  },
  {
    title: 'A known address gets the response of a new one, in any spelling: sign-ups are not revealed',
    requirement: 'responses: waitlist',
    write: true,
    async play({ send, newName }) {
      const email = `${newName('new').replaceAll(' ', '-')}@example.com`
      const first = await send(join({ email }))
      expectStatus(first, 200)
      for (const again of [email, email.toUpperCase(), ` ${email} `])
        expectSame(await send(join({ email: again })), first)
    },
  },
  {
    title: 'Unknown properties of a sign-up are ignored',
    requirement: '4.5 join the waitlist',
    write: true,
    async play({ send }) {
      const others = { name: 'x', id: 1, status: 'confirmed', emails: ['x@example.com'], session: null }
      expectStatus(await send(join({ ...others, email: 'ada@example.com' })), 200)
    },
  },
  {
    title: 'The waitlist needs no session and ignores one, and takes no address from the query',
    requirement: '4.5 join the waitlist',
    write: true,
    async play({ send }) {
      const email = 'ada@example.com'
      expectStatus(await send({ ...join({ email }), as: 'viewer' }), 200)
      expectStatus(await send({ ...join({ email }), as: 'expired' }), 200)
      expectStatus(await send({ ...join({ email }), cookies: ['session=a; session=b'] }), 200)
      expectStatus(await send({ ...join({}), path: `/v1/waitlist?email=${email}` }), 422)
    },
  },
]
