import type { Case, Expectation, Persona, Step } from './case.js'
import { bodyLimit, create, failure, foreign, invalid, own, table, update } from './steps.js'

// The order of the checks: session, organisation, team, permission, path, body, existence, name. Of two faults of a
// request the earlier one decides the response: each pair is sent.

/** What faults change of a valid request. */
type Parts = {
  as?: Persona | undefined
  id?: string
  type?: string
  body?: Record<string, unknown>
  isCut?: boolean
  isLarge?: boolean
  chunked?: boolean
}

/** In the order of the checks. Only an update has an id. */
const faults: [name: string, change: Parts, expect: Expectation][] = [
  ['no session', { as: undefined }, failure('AUTH_REQUIRED')],
  ['an expired session', { as: 'expired' }, failure('AUTH_REQUIRED')],
  ['no organisation', { as: 'no-organization' }, failure('ONBOARDING_REQUIRED')],
  ['no team', { as: 'no-team' }, failure('TEAM_MEMBERSHIP_REQUIRED')],
  ['no permission', { as: 'acme-viewer' }, failure('INSUFFICIENT_PERMISSIONS')],
  ['a blank id', { id: '%20' }, failure('EMPTY_QUERY_FILTER')],
  ['another media type', { type: 'text/plain' }, failure('VALIDATION_FAILED', 415)],
  ['a body that is too large', { isLarge: true }, failure('VALIDATION_FAILED', 413)],
  ['a body in chunks that is too large', { isLarge: true, chunked: true }, failure('VALIDATION_FAILED', 413)],
  ['a body that is not JSON', { isCut: true }, invalid(null)],
  ['a field of another type', { body: { description: 1 } }, invalid(['description'])],
  ['an unknown property', { body: { id: 'x' } }, invalid([], true)],
  ['an unknown id', { id: 'unknown' }, failure('PROJECT_NOT_FOUND')],
  ['a foreign id', { id: foreign }, failure('PROJECT_NOT_FOUND')],
  ['a taken name', { body: { name: 'Website relaunch' } }, failure('PROJECT_NAME_TAKEN')],
]

function request(operation: 'create' | 'update', ...changes: Parts[]): Step {
  const parts: Parts = Object.assign({ as: 'acme-owner' }, ...changes)
  const { as, id = own, type, isCut, isLarge, chunked } = parts
  const body = Object.assign({ name: 'Fresh' }, ...changes.map((change) => change.body))
  const json = JSON.stringify(body).slice(0, isCut ? -1 : undefined)
  const bytes = json.padEnd(isLarge ? bodyLimit + 1 : 0)
  return { ...(operation === 'create' ? create(as) : update(as, id)), bytes, type, chunked }
}

export const orderCases: Case[] = (['create', 'update'] as const).flatMap((operation) => {
  const possible = faults.filter(([, change]) => operation === 'update' || !('id' in change))
  return possible.flatMap(([name, change, expect], i): Case[] => {
    /** Whether two faults can be in one request: a caller, an id, a body has one each. */
    const canMeet = (second: Parts, { status }: Expectation) =>
      Object.keys(second).every((part) => part === 'body' || !(part in change)) &&
      // The fields of another fault would be reported too.
      !(expect.status === 422 && status === 422 && 'body' in change)
    const later = possible.slice(i + 1).filter(([, second, other]) => canMeet(second, other))
    const steps = later.map(([, second]) => ({ ...request(operation, change, second), expect }))
    const title = `Of ${name} and a later fault, the first decides (${operation})`
    return steps.length > 0 ? table('callers: order of the checks', { [title]: steps }) : []
  })
})
