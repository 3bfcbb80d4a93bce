import type { Persona, Step } from './case.js'

/** The largest body in bytes. Not imported from the contract: the suite must notice if the limit changes. */
export const bodyLimit = 65_536

/** Placeholders in a path for the ids of the two projects of the test data. */
export const own = '{own}'
export const foreign = '{foreign}'

type As = Persona | undefined
type Expect = Step['expect']

// Requests to the operations of section 4. They succeed, unless something else is expected.

export const list = (as?: As, expect?: Expect): Step => ({ method: 'GET', path: '/v1/projects', as, expect })

export const bundle = (as?: As, expect?: Expect): Step => ({ method: 'GET', path: '/v1/auth/me', as, expect })

export const create = (as: As, json?: unknown, expect?: Expect): Step => ({
  method: 'POST',
  path: '/v1/projects',
  as,
  json,
  expect,
})

/** @param id the project id as it is written in the path, percent-encoded where needed */
export const update = (as: As, id: string, json?: unknown, expect?: Expect): Step => ({
  method: 'PATCH',
  path: `/v1/projects/${id}`,
  as,
  json,
  expect,
})

export const join = (json?: unknown, expect?: Expect): Step => ({
  method: 'POST',
  path: '/v1/waitlist',
  json,
  expect,
})

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
