import * as z from 'zod'
import type { Case, CaseRequest, Expectation, Persona } from './case.js'
import { step, table } from './case-table.js'
import { detailsFor, failure, validationFailure } from './expectations.js'
import { bodyLimit, create, foreign, own, update, utf8, withBytes } from './requests.js'

// The order of the checks: session, organisation, team, permission, path, body, existence, name. Of two faults of a
// request the earlier one decides the response: each pair is sent.

/** A request by its parts, which the faults change. */
type Parts = {
  as?: Persona
  id: string
  type: string
  body: Record<string, unknown>
  isCut: boolean
  isLarge: boolean
  chunked?: true
}

type Fault = { name: string; change: Partial<Parts>; expect: Expectation; only?: 'update' }

/** In the order of the checks. */
const faults: Fault[] = [
  { name: 'no session', change: { as: undefined }, expect: failure('AUTH_REQUIRED') },
  { name: 'an expired session', change: { as: 'expired' }, expect: failure('AUTH_REQUIRED') },
  { name: 'no organisation', change: { as: 'no-organization' }, expect: failure('ONBOARDING_REQUIRED') },
  { name: 'no team', change: { as: 'no-team' }, expect: failure('TEAM_MEMBERSHIP_REQUIRED') },
  { name: 'no permission', change: { as: 'acme-viewer' }, expect: failure('INSUFFICIENT_PERMISSIONS') },
  { name: 'a blank id', change: { id: '%20' }, expect: failure('EMPTY_QUERY_FILTER'), only: 'update' },
  { name: 'another media type', change: { type: 'text/plain' }, expect: failure('VALIDATION_FAILED', 415) },
  { name: 'a body that is too large', change: { isLarge: true }, expect: failure('VALIDATION_FAILED', 413) },
  {
    name: 'a body in chunks that is too large',
    change: { isLarge: true, chunked: true },
    expect: failure('VALIDATION_FAILED', 413),
  },
  { name: 'a body that is not JSON', change: { isCut: true }, expect: validationFailure(z.null()) },
  {
    name: 'a field of another type',
    change: { body: { description: 1 } },
    expect: validationFailure(detailsFor(['description'])),
  },
  {
    name: 'an unknown property',
    change: { body: { id: 'x' } },
    expect: validationFailure(detailsFor([], true)),
  },
  { name: 'an unknown id', change: { id: 'unknown' }, expect: failure('PROJECT_NOT_FOUND'), only: 'update' },
  { name: 'a foreign id', change: { id: foreign }, expect: failure('PROJECT_NOT_FOUND'), only: 'update' },
  {
    name: 'a taken name',
    change: { body: { name: 'Website relaunch' } },
    expect: failure('PROJECT_NAME_TAKEN'),
  },
]

const unchanged: Parts = {
  as: 'acme-owner',
  id: own,
  type: 'application/json',
  body: {},
  isCut: false,
  isLarge: false,
}

function request(operation: 'create' | 'update', changes: Partial<Parts>[]): CaseRequest {
  const parts: Parts = Object.assign({}, unchanged, ...changes)
  const body = Object.assign({ name: 'Fresh' }, ...changes.map((change) => change.body))
  const json = JSON.stringify(body).slice(0, parts.isCut ? -1 : undefined)
  const sent = operation === 'create' ? create(parts.as) : update(parts.as, parts.id)
  return {
    ...withBytes(sent, utf8(json.padEnd(parts.isLarge ? bodyLimit + 1 : 0)), parts.type),
    ...(parts.chunked && { chunked: true }),
  }
}

/** Whether two faults can be in one request: a caller, an id, a body has one each. */
const canMeet = (first: Fault, second: Fault) =>
  Object.keys(second.change).every((part) => part === 'body' || !(part in first.change)) &&
  // The fields of another fault would be reported too.
  !(first.expect.status === 422 && second.expect.status === 422 && 'body' in first.change)

export const orderCases: Case[] = (['create', 'update'] as const).flatMap((operation) => {
  const possible = faults.filter(({ only = operation }) => only === operation)
  return possible.flatMap((first, i): Case[] => {
    const later = possible.slice(i + 1).filter((second) => canMeet(first, second))
    const steps = later.map((second) => step(request(operation, [first.change, second.change]), first.expect))
    const title = `Of ${first.name} and a later fault, the first decides (${operation})`
    return steps.length > 0 ? table('callers: order of the checks', { [title]: steps }) : []
  })
})
