import type { Persona, Request, Step } from './case.js'

/** The most that a body may have: 64 KiB, as decided, whatever the code has to say. */
export const bodyLimit = 65_536

/** The ids of the world's projects, in the path of a request. */
export const mine = '{mine}'
export const foreign = '{foreign}'

// Requests to the operations of section 4, as short as a case wants them.

export const list = (as?: Persona): Request => ({ method: 'GET', path: '/v1/projects', as })

export const bundle = (as?: Persona): Request => ({ method: 'GET', path: '/v1/auth/me', as })

export const create = (as: Persona | undefined, json?: unknown): Request => ({
  method: 'POST',
  path: '/v1/projects',
  as,
  json,
})

/** @param id the project id as it stands in the path, percent-encoded where it needs to be */
export const update = (as: Persona | undefined, id: string, json?: unknown): Request => ({
  method: 'PATCH',
  path: `/v1/projects/${id}`,
  as,
  json,
})

export const join = (json?: unknown): Request => ({ method: 'POST', path: '/v1/waitlist', json })

/** The request with bytes for a body, sent as JSON unless said otherwise (null: no content type at all). */
export const withBytes = (
  request: Request,
  bytes: Uint8Array,
  contentType: string | null = 'application/json',
): Request => ({
  ...request,
  json: undefined,
  bytes,
  headers: { ...request.headers, ...(contentType !== null && { 'content-type': contentType }) },
})

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

export const step = (request: Step['request'], expect: Step['expect']): Step => ({ request, expect })
