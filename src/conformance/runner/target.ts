import { parseJson } from '../../contract/parse-json.js'
import type { CaseRequest, CookieOf, Mode, ReceivedResponse } from '../cases/case.js'
import { utf8 } from '../cases/steps.js'
import type { TestData } from '../cases/test-data.js'

/** A running service that cases run against. */
export type Target = {
  mode: Mode
  /** The base URL without a slash at the end; may change with a reset. */
  readonly baseUrl: string
  /** Sends a request. */
  send(request: ResolvedRequest): Promise<ReceivedResponse>
  cookieOf: CookieOf
  /** The data that the service holds now. */
  readonly data: TestData
  /** Whether requests arrive over HTTP as they are written; `fetch` would rewrite or refuse some. */
  isServer: boolean
  /** Check only what the interface says, and not what was decided where it is silent. */
  interfaceOnly?: boolean
  /** Where errors have linked to the pages about them: what comes before the path of a page. */
  docsBases: Set<string>
  /** Prepares the service for another case. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** A request with all values filled in; headers may repeat. */
export type ResolvedRequest = {
  method: string
  url: string
  path: string
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
}

/** The parts of a target that the values of a request come from. */
export type Source = Pick<Target, 'baseUrl' | 'cookieOf' | 'data'>

/** What stands for data of the service in the paths, headers and bodies of cases. */
const placeholders: Record<string, (source: Source) => string> = {
  origin: ({ baseUrl }) => new URL(baseUrl).origin,
  otherPort: ({ baseUrl }) => new URL(baseUrl).origin.replace(/(:\d+)?$/, ':9'),
  subdomain: ({ baseUrl }) => new URL(baseUrl).origin.replace('//', '//evil.'),
  own: ({ data }) => data.ownProject.id,
  foreign: ({ data }) => data.foreignProject.id,
  otherTeam: ({ data }) => data.bundle('globex-owner').teamId,
  otherOrganization: ({ data }) => data.bundle('globex-owner').organization.orgCode,
  otherUser: ({ data }) => data.bundle('globex-owner').user.id,
  session: ({ cookieOf }) => cookieOf('acme-owner').replace('session=', ''),
}

/** A request with its values filled in. @throws MissingDataError for data that the service does not have */
export function resolveRequest(source: Source, request: CaseRequest): ResolvedRequest {
  const { method, as, json, bytes, type = 'application/json', chunked = false } = request
  const fillIn = (text: string, encode = (value: string) => value) =>
    text.replace(/\{(\w+)\}/g, (as, name) => (placeholders[name] ? encode(placeholders[name](source)) : as))
  const path = fillIn(request.path, encodeURIComponent)
  const cookies = request.cookies?.(source.cookieOf) ?? (as ? [source.cookieOf(as)] : [])
  const content = json === undefined ? bytes : fillIn(JSON.stringify(json))
  const body = typeof content === 'string' ? utf8(content) : content
  const headers = { ...(body && type !== null && { 'content-type': type }), ...request.headers }
  return {
    method,
    url: source.baseUrl + path,
    path: new URL(source.baseUrl).pathname.replace(/\/$/, '') + path,
    headers: [
      ...cookies.map((cookie): [string, string] => ['cookie', fillIn(cookie)]),
      ...Object.entries(headers).map(([name, value]): [string, string] => [name, fillIn(value)]),
    ],
    ...(body && { body }),
    chunked,
  }
}

/** Sends a case's request to a target. */
export const send = (
  target: Source & Pick<Target, 'send'>,
  request: CaseRequest,
): Promise<ReceivedResponse> => target.send(resolveRequest(target, request))

/** A response from its received parts; the body is parsed where its content type is JSON. */
export function toResponse(status: number, headers: Record<string, string>, text: string): ReceivedResponse {
  const json = headers['content-type']?.startsWith('application/json') ? parseJson(text) : undefined
  // Of equal keys JSON.parse() takes the last, and other parsers another one.
  const again = JSON.stringify(json)
  const hasEqualKeys = again !== text && countKeys(again) < countKeys(text)
  return { status, headers, text, json: hasEqualKeys ? undefined : json }
}

/** How many keys the objects of a JSON text have. */
const countKeys = (text = ''): number =>
  text.match(/"(?:[^"\\]|\\.)*"\s*:?/g)?.filter((token) => token.endsWith(':')).length ?? 0
