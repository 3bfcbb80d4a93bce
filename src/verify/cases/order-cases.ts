import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { bodyLimit, create, foreign, own, update } from './requests.js'
import { failure, invalid, table } from './steps.js'

// The order of the checks: session, organisation, team, permission, path, body, existence, name. Of two faults of a
// request the earlier one decides the response: each pair is sent.

/** A request by its parts, which the faults change. */
type Parts = {
  as: Persona | undefined
  id: string
  type: string
  body: Record<string, unknown>
  isCut: boolean
  isLarge: boolean
  chunked?: boolean
}

const tooLarge = failure('VALIDATION_FAILED', 413)

/** In the order of the checks. Only an update has an id. */
const faults: [name: string, change: Partial<Parts>, expect: Expectation][] = [
  ['no session', { as: undefined }, failure('AUTH_REQUIRED')],
  ['an expired session', { as: 'expired' }, failure('AUTH_REQUIRED')],
  ['no organisation', { as: 'no-organization' }, failure('ONBOARDING_REQUIRED')],
  ['no team', { as: 'no-team' }, failure('TEAM_MEMBERSHIP_REQUIRED')],
  ['no permission', { as: 'acme-viewer' }, failure('INSUFFICIENT_PERMISSIONS')],
  ['a blank id', { id: '%20' }, failure('EMPTY_QUERY_FILTER')],
  ['another media type', { type: 'text/plain' }, failure('VALIDATION_FAILED', 415)],
  ['a body that is too large', { isLarge: true }, tooLarge],
  ['a body in chunks that is too large', { isLarge: true, chunked: true }, tooLarge],
  ['a body that is not JSON', { isCut: true }, invalid(null)],
  ['a field of another type', { body: { description: 1 } }, invalid(['description'])],
  ['an unknown property', { body: { id: 'x' } }, invalid([], true)],
  ['an unknown id', { id: 'unknown' }, failure('PROJECT_NOT_FOUND')],
  ['a foreign id', { id: foreign }, failure('PROJECT_NOT_FOUND')],
  ['a taken name', { body: { name: 'Website relaunch' } }, failure('PROJECT_NAME_TAKEN')],
]

const valid: Parts = {
  as: 'acme-owner',
  id: own,
  type: 'application/json',
  body: {},
  isCut: false,
  isLarge: false,
}

function request(operation: 'create' | 'update', ...changes: Partial<Parts>[]): CaseRequest {
  const { as, id, type, isCut, isLarge, chunked }: Parts = Object.assign({}, valid, ...changes)
  const body = Object.assign({ name: 'Fresh' }, ...changes.map((change) => change.body))
  const json = JSON.stringify(body).slice(0, isCut ? -1 : undefined)
  const sent = operation === 'create' ? create(as) : update(as, id)
  const bytes = json.padEnd(isLarge ? bodyLimit + 1 : 0)
  return { ...sent, bytes, type, ...(chunked && { chunked }) }
}

export const orderCases: Case[] = (['create', 'update'] as const).flatMap((operation) => {
  const possible = faults.filter(([, change]) => operation === 'update' || !('id' in change))
  return possible.flatMap(([name, change, expect], i): Case[] => {
    /** Whether two faults can be in one request: a caller, an id, a body has one each. */
    const canMeet = (second: Partial<Parts>, { status }: Expectation) =>
      Object.keys(second).every((part) => part === 'body' || !(part in change)) &&
      // The fields of another fault would be reported too.
      !(expect.status === 422 && status === 422 && 'body' in change)
    const later = possible.slice(i + 1).filter(([, second, other]) => canMeet(second, other))
    const steps = later.map(([, second]) => ({ ...request(operation, change, second), expect }))
    const title = `Of ${name} and a later fault, the first decides (${operation})`
    return steps.length > 0 ? table('callers: order of the checks', { [title]: steps }) : []
  })
})
