import type { CaseRequest, Persona } from './case.js'

/** The largest body in bytes. Not imported from the contract: the suite must notice if the limit changes. */
export const bodyLimit = 65_536

/** Placeholders in a path for the ids of the two projects of the test data. */
export const own = '{own}'
export const foreign = '{foreign}'

// Requests to the operations of section 4.

export const list = (as?: Persona): CaseRequest => ({ method: 'GET', path: '/v1/projects', as })

export const bundle = (as?: Persona): CaseRequest => ({ method: 'GET', path: '/v1/auth/me', as })

export const create = (as: Persona | undefined, json?: unknown): CaseRequest => ({
  method: 'POST',
  path: '/v1/projects',
  as,
  json,
})

/** @param id the project id as it is written in the path, percent-encoded where needed */
export const update = (as: Persona | undefined, id: string, json?: unknown): CaseRequest => ({
  method: 'PATCH',
  path: `/v1/projects/${id}`,
  as,
  json,
})

export const join = (json?: unknown): CaseRequest => ({ method: 'POST', path: '/v1/waitlist', json })

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
