import { parseJson } from '../contract/parse-json.js'
import type { Caller } from './callers.js'
import type { Mode, Reply } from './case.js'

/** A running service that cases are played against. */
export type Target = {
  mode: Mode
  /** The base URL without a slash at the end. */
  readonly baseUrl: string
  /** @throws Unsendable for a request that this client cannot send */
  send(request: SentRequest): Promise<Received>
  /** The Cookie header of a caller's session; undefined where there is none. */
  cookieOf(as: Caller): string | undefined
  /** Whether requests arrive over HTTP as they are written; a page or a process that is mocked has no security headers. */
  isServer: boolean
  /** Check the interface alone, and not the decisions where it is silent. */
  interfaceOnly?: boolean
}

/** A request with all its headers, which may repeat. */
export type SentRequest = {
  method: string
  url: string
  path: string
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
  raw: boolean
}

export type Received = Omit<Reply, 'to'>

/** A case cannot be played here: a cookie was not given, or the client cannot send a request. */
export class Unsendable extends Error {
  override name = 'Unsendable'
}

/** A response from its received parts; the body is parsed where its content type is JSON. */
export function toReceived(status: number, headers: Record<string, string>, text: string): Received {
  const json = headers['content-type']?.startsWith('application/json') ? parseJson(text) : undefined
  return { status, headers, text, json }
}
