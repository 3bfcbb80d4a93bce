import type { Caller } from './callers.js'
import type { CaseRequest } from './case.js'

type As = Caller | undefined

// Requests to the operations of section 4.

export const list = (as?: As): CaseRequest => ({ method: 'GET', path: '/v1/projects', as })
export const bundle = (as?: As): CaseRequest => ({ method: 'GET', path: '/v1/auth/me', as })
export const create = (as?: As, json?: unknown): CaseRequest => ({
  method: 'POST',
  path: '/v1/projects',
  as,
  json,
})
/** @param id the project id as it is written in the path, percent-encoded where needed */
export const update = (as: As, id: string, json?: unknown): CaseRequest => ({
  method: 'PATCH',
  path: `/v1/projects/${id}`,
  as,
  json,
})
export const join = (json?: unknown): CaseRequest => ({ method: 'POST', path: '/v1/waitlist', json })

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Every character of an ASCII text as `%` and two digits. */
export const percentEncoded = (text: string): string =>
  [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
