import { type ErrorCode, errorDocsPath, errors } from '../../contract/errors.js'
import type { Caller } from '../callers.js'
import type { Case, Reply } from '../case.js'
import { expectError, expectInvalid, expectStatus, expectTrue } from '../expect.js'
import { bundle, create, join, list, update } from '../requests.js'

// 7. Errors. The form of each is checked of every response (every-response.ts).

/** Faults of a change and their refusals, in the order of the checks. */
type Fault = { name: string; of: Partial<Change>; expect: (reply: Reply) => void }
type Change = {
  as: Caller | undefined
  id: string
  type: string
  bytes: (json: object) => string
  json: object
}

const code = (code: ErrorCode, status?: number) => (reply: Reply) => expectError(reply, code, status)

const callerFaults: Fault[] = [
  { name: 'no session', of: { as: undefined }, expect: code('AUTH_REQUIRED') },
  { name: 'no organisation', of: { as: 'no-organization' }, expect: code('ONBOARDING_REQUIRED') },
  { name: 'no team', of: { as: 'no-team' }, expect: code('TEAM_MEMBERSHIP_REQUIRED') },
  { name: 'no permission', of: { as: 'viewer' }, expect: code('INSUFFICIENT_PERMISSIONS') },
]
const blankId: Fault = { name: 'a blank id', of: { id: '%20' }, expect: code('EMPTY_QUERY_FILTER') }
const bodyFaults: Fault[] = [
  { name: 'another media type', of: { type: 'text/plain' }, expect: code('VALIDATION_FAILED', 415) },
  {
    name: 'a body that is too large',
    of: { bytes: (json) => JSON.stringify(json).padEnd(65_537) },
    expect: code('VALIDATION_FAILED', 413),
  },
  {
    name: 'a body that is not JSON',
    of: { bytes: (json) => JSON.stringify(json).slice(0, -1) },
    expect: (reply) => expectInvalid(reply, null),
  },
  {
    name: 'an unknown property',
    of: { json: { id: 'x' } },
    expect: (reply) => expectInvalid(reply, [], true),
  },
]
const unknownId: Fault = { name: 'an unknown id', of: { id: 'unknown' }, expect: code('PROJECT_NOT_FOUND') }

/** A case of the order of the checks: each fault is sent with each later one that can be in the same request. */
const ordered = (operation: 'creation' | 'update', faults: Fault[]): Case => ({
  title: `Of two faults of ${operation === 'update' ? 'an' : 'a'} ${operation} the one that is checked first decides`,
  requirement: 'callers: order of the checks',
  write: true,
  async play({ send, newProject }) {
    const { id } = await newProject()
    const { name } = await newProject()
    const taken: Fault = { name: 'a taken name', of: { json: { name } }, expect: code('PROJECT_NAME_TAKEN') }
    const all = [...faults, taken]
    for (const [i, first] of all.entries())
      for (const later of all.slice(i + 1)) {
        if (Object.keys(later.of).some((part) => part !== 'json' && part in first.of)) continue
        const valid = { as: 'owner' as const, id, type: 'application/json', bytes: JSON.stringify }
        const sent: Omit<Change, 'json'> = { ...valid, ...later.of, ...first.of }
        const json = { name: 'Fresh', ...later.of.json, ...first.of.json }
        const request = operation === 'update' ? update(sent.as, sent.id) : create(sent.as)
        const reply = await send({ ...request, type: sent.type, bytes: sent.bytes(json) })
        first.expect({ ...reply, to: `${operation} with ${first.name} and ${later.name}` })
      }
  },
})

export const errorCases: Case[] = [
  ordered('creation', [...callerFaults, ...bodyFaults]),
  ordered('update', [...callerFaults, blankId, ...bodyFaults, unknownId]),
  {
    title: 'An expired session is refused before the organisation, the body and the id are looked at',
    requirement: 'callers: order of the checks',
    write: true,
    async play({ send }) {
      expectError(await send({ ...create('expired'), bytes: '{' }), 'AUTH_REQUIRED')
      expectError(await send(update('expired', '%20', { id: 1 })), 'AUTH_REQUIRED')
    },
  },
  {
    title: 'Errors of the session operation have the short form, those of the list the full one',
    requirement: '2.4 the error body',
    async play({ send }) {
      expectStatus(await send(bundle()), 401)
      const { code, docsUrl } = Object((await send(list())).json)
      expectTrue(
        code === 'AUTH_REQUIRED' && typeof docsUrl === 'string',
        `the code is ${code}, docsUrl ${docsUrl}`,
      )
    },
  },
  {
    title: 'Errors of the waitlist operation have the short form',
    requirement: '2.4 the error body',
    write: true,
    async play({ send }) {
      expectStatus(await send(join({})), 422)
      expectStatus(await send({ ...join(), path: '/v1/waitlist', method: 'PUT' }), 405)
    },
  },
  {
    title: 'The pages that errors link to open, and are about their codes',
    requirement: 'responses: docsUrl opens a page about the code',
    async play({ send, baseUrl }) {
      const { docsUrl } = Object((await send(list())).json)
      const base = docsUrl.slice(0, -errorDocsPath('AUTH_REQUIRED').length)
      for (const code of Object.keys(errors) as ErrorCode[]) {
        const url = base + errorDocsPath(code)
        const isOwn = url.startsWith(`${baseUrl}/`)
        const own = { method: 'GET', path: url.slice(baseUrl.length) }
        const page = isOwn ? await send(own) : await pageAt(url)
        expectTrue(
          page.status === 200 && page.text.includes(code),
          `docsUrl ${url} does not open a page about ${code}`,
        )
      }
    },
  },
]

/** A page of another host; the status is 0 where it cannot be reached. */
async function pageAt(url: string): Promise<{ status: number; text: string }> {
  const page = await fetch(url).catch(() => undefined)
  return { status: page?.status ?? 0, text: (await page?.text()) ?? '' }
}
