import type * as z from 'zod'
import type { Requirement } from './requirements.js'
import type { World } from './world.js'

// A case is data: it names no test framework and nothing of Node, so that any program can play it
// against any deployment. What it may suppose about the deployment's data is in the world (world.ts).

export type Mode = 'mock' | 'production'

/** The callers that cases have, by the names that they have in the demo fixture. */
export type Persona =
  | 'acme-owner'
  | 'acme-member'
  | 'acme-viewer'
  | 'globex-owner'
  | 'no-organization'
  | 'no-team'
  | 'expired'

/** Gives the Cookie header with which a persona is signed in, e.g. `session=acme-owner`. */
export type CookieOf = (persona: Persona) => string

export type Request = {
  method: string
  /** `{mine}` in it stands for the id of the world's project, `{foreign}` for that of another team. */
  path: string
  /** Who asks; left out: a caller without a session. */
  as?: Persona
  /** The Cookie header in place of the persona's; several are several headers. */
  cookies?: (cookieOf: CookieOf) => string[]
  headers?: Record<string, string>
  /** Sent as JSON with the content type of JSON. */
  json?: unknown
  /** Sent as it is, without a content type of its own. */
  bytes?: Uint8Array
  /** Sent in chunks, without a content length. */
  chunked?: true
  /** A fetch client would rewrite or refuse this request. */
  raw?: true
  /** Leads out of the service: below neither /v1/ nor one of its pages. */
  outside?: true
}

export type Answer = {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
  /** The parsed body; undefined where it is not JSON. */
  json: unknown
}

type Body = z.ZodType | object

export type Expected = {
  status: number | readonly number[]
  /** A header that has to be there with this value, or (null) must not be there. */
  headers?: Record<string, string | RegExp | null>
  /** A schema that the body has to meet, or the body itself. */
  body?: Body | ((seen: Seen) => Body)
  /** The whole text of the answer. */
  text?: string
}

/** What a step knows: the mode, the world, and the answers of the earlier steps, in order. */
export type Seen = { mode: Mode; world: World; answers: readonly Answer[] }

export type Step = {
  request: Request | ((seen: Seen) => Request)
  expect: Expected | ((seen: Seen) => Expected)
}

/** Steps that are sent at the same time. */
export type Concurrent = { concurrent: readonly Step[] }

export type Case = {
  /** What a user relies on. */
  title: string
  /** What of the interface or of the decisions it proves. */
  requirement: Requirement
  /** Left out: the case holds in both modes. */
  mode?: Mode
  /** Ends a session or supposes the state of a start, so that only who can start the service anew plays it. */
  needsReset?: true
  steps: readonly (Step | Concurrent)[]
}
