import { rawRequest } from '../../src/verify/runner/raw-request.js'
import type { Target } from '../../src/verify/runner/target.js'

// A proxy in process: it stands between the verifier and a running server, and changes requests and responses.

export type ProxyRequest = {
  method: string
  /** With the query string. */
  path: string
  /** May repeat. */
  headers: [string, string][]
  body?: Uint8Array
  chunked: boolean
}

export type ProxyResponse = { status: number; headers: Record<string, string>; text: string }

export type Send = (request: ProxyRequest) => Promise<ProxyResponse>

/** What a broken server does with a request. `send` asks the server behind it. */
export type Behaviour = (request: ProxyRequest, send: Send) => Promise<ProxyResponse>

/** The transport of a verifier whose requests pass the proxy. */
export function proxyTransport(
  { baseUrl }: Pick<Target, 'baseUrl'>,
  behave: Behaviour,
): Required<Pick<Target, 'fetch' | 'raw'>> {
  const send: Send = async ({ method, path, headers, body, chunked }) => {
    const [response, text] = await request(`${baseUrl}${path}`, { method, headers, body, chunked })
    const received = Object.fromEntries(response.headers)
    // Of several cookies the entries have the last.
    if (received['set-cookie']) received['set-cookie'] = response.headers.getSetCookie().join(', ')
    return { status: response.status, headers: received, text }
  }
  return {
    async fetch(input, init = {}) {
      const url = String(input)
      if (!url.startsWith(baseUrl)) return fetch(input, init)
      const body = init.body ? new Uint8Array(await new Response(init.body).arrayBuffer()) : undefined
      const { status, headers, text } = await behave(
        {
          method: init.method ?? 'GET',
          path: url.slice(baseUrl.length),
          headers: (init.headers ?? []) as [string, string][],
          ...(body && { body }),
          chunked: init.body instanceof ReadableStream,
        },
        send,
      )
      return new Response([204, 304].includes(status) || init.method === 'HEAD' ? null : text, {
        status,
        headers,
      })
    },
    async raw(resolved) {
      const { status, headers, text } = await behave(
        { ...resolved, path: resolved.path },
        ({ method, path, headers, body, chunked }) =>
          rawRequest({ method, url: baseUrl, path, headers, ...(body && { body }), chunked }),
      )
      const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
      return { status, headers, text, json: isJson ? JSON.parse(text) : undefined }
    },
  }
}

async function request(
  url: string,
  {
    method,
    headers,
    body,
    chunked,
  }: Pick<ProxyRequest, 'method' | 'headers' | 'chunked'> & { body: Uint8Array | undefined },
): Promise<[Response, string]> {
  const content = body as Uint8Array<ArrayBuffer> | undefined
  const init = { method, headers, redirect: 'manual' as const }
  const response = await fetch(
    url,
    chunked && content
      ? ({ ...init, body: new Blob([content]).stream(), duplex: 'half' } as RequestInit)
      : { ...init, ...(content && { body: content }) },
  )
  return [response, await response.text()]
}

/** The parsed body of a request or a response; undefined where it is not JSON. */
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
