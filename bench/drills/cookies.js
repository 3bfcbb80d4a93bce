// Cookies that were changed, or signed with another key or for another purpose: none is accepted.

import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { createSignedValues } from '../../dist/server/sessions/signed-values.js'
import { createRandom } from '../fuzz/random.js'
import { secret, signedCookies, stateOf } from '../speed/dataset.js'
import { withNodes } from './database.js'

const teams = 5
const clients = 16
const paths = ['/v1/projects', '/v1/auth/me']
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.'

const valid = signedCookies(teams).map((cookie) => decodeURIComponent(cookie.slice('session='.length)))
const claimsOf = (value) => JSON.parse(Buffer.from(value.split('.')[1], 'base64url').toString())
const longAgo = new Date(0).toISOString()
const anything = { safeParse: (data) => ({ data }) }

/** Makes values that are not among the valid ones. */
function createMutations(random) {
  const { below, pick, text } = random
  const at = (value) => below(value.length + 1)
  const kinds = [
    // One character, or one bit of it.
    (value, i = below(value.length)) => value.slice(0, i) + pick(letters) + value.slice(i + 1),
    (value, i = below(value.length)) =>
      value.slice(0, i) + String.fromCharCode(value.charCodeAt(i) ^ (1 << below(7))) + value.slice(i + 1),
    // The last character has bits that decode to nothing.
    (value) => value.slice(0, -1) + pick(letters),
    (value) => value.slice(0, at(value)),
    (value) => value.slice(at(value)),
    (value) => value + text(1 + below(5), letters),
    (value, i = at(value)) => value.slice(0, i) + text(1 + below(5), letters) + value.slice(i),
    (value) => value.toUpperCase(),
    (value) => value.replaceAll('-', '+').replaceAll('_', '/'),
    (value) => `${value}=`,
    (value) => ` ${value}`,
    (value) => value + value,
    // Parts of two cookies.
    (value) => {
      const other = pick(valid).split('.')
      const parts = value.split('.')
      const i = below(parts.length)
      return parts.map((part, j) => (i === j ? other[i] : part)).join('.')
    },
    // Other claims with the signature of these.
    (value) => {
      const [purpose, , signature] = value.split('.')
      const claims = {
        ...claimsOf(value),
        ...pick([{ orgCode: `org_${below(teams)}` }, { sessionId: 'session-1' }]),
      }
      return [purpose, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
    },
    (value) => createSessionCookies([text(40, letters)]).sign(claimsOf(value)),
    (value) => createSessionCookies([`${secret} `]).sign(claimsOf(value)),
    (value) => createSignedValues([secret], pick(['state', 'Session', '']), anything).sign(claimsOf(value)),
    // Rightly signed, and not what a session says.
    (value) => {
      const number = teams + below(9)
      const other = [{ sessionId: `session-${number}` }, { expiresAt: longAgo }, { orgCode: `org_${number}` }]
      return createSessionCookies([secret]).sign({ ...claimsOf(value), ...pick(other) })
    },
  ]
  /** The header of a value. */
  return () => {
    const value = pick(kinds)(pick(valid))
    return valid.includes(value) || value.trim() === '' ? undefined : `session=${encodeURIComponent(value)}`
  }
}

async function mutate({ rounds, seed, defect }) {
  const state = stateOf({ teams, projects: 2 })
  return withNodes({ kind: 'sqlite', count: 1, state, defect }, async ({ connect }) => {
    const random = createRandom(seed)
    const mutation = createMutations(random)
    const counts = { sent: 0, accepted: 0, faults: [] }
    const use = (send, cookie) => send({ path: random.pick(paths), cookie })
    const runClient = async () => {
      const [send] = connect()
      while (counts.sent < rounds) {
        const cookie = mutation()
        if (!cookie) continue
        counts.sent += 1
        const { status, error } = await use(send, cookie)
        if (status === 200) counts.accepted += 1
        if (status !== 401) counts.faults.push(`${cookie}: ${error ?? `status ${status}`}`)
        // The responses of these are cached, and the cookies of the others must not find them.
        if (counts.sent % 20 > 0) continue
        const right = await use(send, `session=${encodeURIComponent(random.pick(valid))}`)
        if (right.status !== 200) counts.faults.push(`a valid cookie: status ${right.status}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, runClient))
    return counts
  })
}

export const cookies = {
  name: 'cookies',
  promise: 'A session cookie that was changed, or signed otherwise, is not accepted.',
  fault:
    '100,000 mutations of signed cookies: characters, bits, lengths, parts of others, other claims, keys and purposes, ended and unknown sessions',
  target: '0 accepted; 401 for each',
  rounds: 100_000,
  quickRounds: 5_000,
  hasQuickControl: true,
  make: mutate,
  none: { accepted: 'cookies accepted' },
  some: { sent: 'mutations' },
  controls: [
    {
      fault: 'A node that does not check the signature',
      rounds: 1_000,
      defect: 'unsigned',
      caught: ['accepted'],
    },
  ],
}
