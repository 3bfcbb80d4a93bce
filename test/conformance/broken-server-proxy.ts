import { rawRequest } from '../../src/conformance/raw-request.js'
import { type Target, toReceived } from '../../src/conformance/target.js'

// A proxy in this process, between the suite and a running server: it changes requests and responses.

export type ProxyRequest = {
  method: string
  /** Includes the query string. */
  path: string
  /** Names may repeat. */
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
}

export type ProxyResponse = { status: number; headers: Record<string, string>; text: string }

export type Send = (request: ProxyRequest) => Promise<ProxyResponse>

/** Handles a request as a broken server. `send` forwards a request to the server behind the proxy. */
export type Behaviour = (request: ProxyRequest, send: Send) => Promise<ProxyResponse>

/** Sends requests of the suite through the proxy, if they are for its server. */
export function proxySend({ baseUrl }: Pick<Target, 'baseUrl'>, behave: Behaviour): Target['send'] {
  const send: Send = ({ method, path, headers, body, chunked }) =>
    rawRequest({ method, url: baseUrl, path, headers, ...(body && { body }), chunked, raw: true })
  return async (request) => {
    if (!request.url.startsWith(baseUrl)) return rawRequest(request)
    const { status, headers, text } = await behave(request, send)
    const hasBody = ![204, 304].includes(status) && request.method !== 'HEAD'
    return toReceived(status, headers, hasBody ? text : '')
  }
}

/** The parsed body of a request or a response; undefined if it is not JSON. */
export function jsonOf({ body, text }: { body?: Uint8Array; text?: string }): unknown {
  try {
    return JSON.parse(text ?? new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/** The request with another body. */
export const withRequestJson = (request: ProxyRequest, json: unknown): ProxyRequest => ({
  ...request,
  body: new TextEncoder().encode(JSON.stringify(json)),
})

/** The response with another body. */
export const withJson = (response: ProxyResponse, json: unknown): ProxyResponse => {
  const { 'content-length': _, ...headers } = response.headers
  return { ...response, headers, text: JSON.stringify(json) }
}
