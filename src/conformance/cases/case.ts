import type { Persona, TestData } from './test-data.js'

export type { Persona }

// A case is data: it depends on no test framework and not on Node, so any program can run it against any
// deployment. test-data.ts has what a case may assume about the data of the deployment.

export type Mode = 'mock' | 'production'

/** Returns the Cookie header of a persona's session, e.g. `session=acme-owner`. */
export type CookieOf = (persona: Persona) => string

export type CaseRequest = {
  method: string
  /** `{own}` stands for the id of a project of the owner's team, `{foreign}` for one of another team. */
  path: string
  /** The caller; left out: a caller without a session. */
  as?: Persona
  /** Cookie headers that replace the persona's; several values are several headers. */
  cookies?: (cookieOf: CookieOf) => string[]
  /** Their values may have placeholders, as the path. */
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged; a text as UTF-8. */
  bytes?: Uint8Array | string
  /** The content type of a body, or null for none. Left out: JSON. */
  type?: string | null | undefined
  /** Sent with chunked encoding, without a content length. */
  chunked?: boolean | undefined
  /** A fetch client would rewrite or refuse this request. */
  raw?: boolean | undefined
}

export type ReceivedResponse = {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  text: string
  /** The parsed body; undefined where it is not JSON. */
  json: unknown
}

/** What a value is, or has among other things; a function tells whether it is right. */
export type Pattern =
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | ((value: never) => boolean)
  | { [key: string]: Pattern }

/**
 * What is expected of a response, beyond what every response of its operation and status has (invariants.ts), and what
 * the earlier requests have led to (model.ts).
 */
export type Expectation = {
  /** Left out: the success of the operation; any, where there is none. */
  status?: number | readonly number[] | undefined
  /** A header that must have this value, match or satisfy it, or (null) be absent. */
  headers?: Record<string, Pattern>
  /** What the body has. */
  has?: { [key: string]: Pattern }
  /** The response is the same as an earlier one, which has this index: status, text, and headers that are not volatile. */
  sameAs?: number
}

/** What a step can use: the data as the case has changed it, and the responses of the earlier steps, in order. */
export type CaseContext = { data: TestData; responses: readonly ReceivedResponse[] }

/** A request, and what is expected of its response. */
export type Step = CaseRequest & {
  expect?: Expectation | ((context: CaseContext) => Expectation) | undefined
}

export type Case = {
  /** What a user relies on. */
  title: string
  /** The point of the interface, or the decision, that the case checks. */
  requirement: string
  /** Left out: the case holds in both modes. */
  mode?: Mode
  /** Those of an inner list are sent at the same time. A function makes a step of what came before. */
  steps: readonly (AnyStep | readonly AnyStep[])[]
}

export type AnyStep = Step | ((context: CaseContext) => Step)
