// Cookies that were changed, or signed with another key or for another purpose: none is accepted.
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { createSignedValues } from '../../dist/server/sessions/signed-values.js'
import { secret, signedCookies, stateOf } from '../speed/dataset.js'
import { withNodes } from './database.js'

const teams = 5
const clients = 16
const paths = ['/v1/projects', '/v1/auth/me']
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.'

const valid = signedCookies(teams).map((cookie) => decodeURIComponent(cookie.slice('session='.length)))
const anything = { safeParse: (data) => ({ data }) }

/** Makes values that are not among the valid ones. */
function createMutations(random) {
  const { below, pick, text } = random
  const own = createSessionCookies([secret])
  const number = () => teams + below(9)
  /** What a value is changed to. It is given its characters before and after some place, and its parts. */
  const kinds = [
    // One character, or one bit of it.
    ({ before, after }) => before + pick(letters) + after.slice(1),
    ({ before, after }) =>
      before + String.fromCharCode((after.charCodeAt(0) || 0) ^ (1 << below(7))) + after.slice(1),
    // The last character has bits that decode to nothing.
    ({ value }) => value.slice(0, -1) + pick(letters),
    ({ before }) => before,
    ({ after }) => after,
    ({ value }) => value + text(1 + below(5), letters),
    ({ before, after }) => before + text(1 + below(5), letters) + after,
    ({ value }) => value.toUpperCase(),
    ({ value }) => value.replaceAll('-', '+').replaceAll('_', '/'),
    ({ value }) => `${value}=`,
    ({ value }) => ` ${value}`,
    ({ value }) => value + value,
    // Parts of two cookies.
    ({ parts }) => parts.with(below(parts.length), pick(valid).split('.')[below(parts.length)]).join('.'),
    // Other claims with the signature of these.
    ({ parts: [purpose, , signature], claims }) => {
      const other = pick([{ orgCode: `org_${below(teams)}` }, { sessionId: 'session-1' }])
      const changed = Buffer.from(JSON.stringify({ ...claims, ...other })).toString('base64url')
      return [purpose, changed, signature].join('.')
    },
    ({ claims }) => createSessionCookies([text(40, letters)]).sign(claims),
    ({ claims }) => createSessionCookies([`${secret} `]).sign(claims),
    ({ claims }) => createSignedValues([secret], pick(['state', 'Session', '']), anything).sign(claims),
    // Rightly signed, and not what a session says.
    ({ claims }) => own.sign({ ...claims, sessionId: `session-${number()}` }),
    ({ claims }) => own.sign({ ...claims, orgCode: `org_${number()}` }),
    ({ claims }) => own.sign({ ...claims, expiresAt: new Date(0).toISOString() }),
  ]
  /** The header of a value. */
  return () => {
    const from = pick(valid)
    const at = below(from.length)
    const parts = from.split('.')
    const claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString())
    const value = pick(kinds)({
      value: from,
      before: from.slice(0, at),
      after: from.slice(at),
      parts,
      claims,
    })
    return valid.includes(value) || value.trim() === '' ? undefined : `session=${encodeURIComponent(value)}`
  }
}

async function mutate({ rounds, random, defect }) {
  const state = stateOf({ teams, projects: 2 })
  return withNodes({ kind: 'sqlite', count: 1, state, defect }, async ({ connect }) => {
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
  quickRounds: 1_000,
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
