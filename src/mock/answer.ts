import type { IncomingMessage, ServerResponse } from 'node:http'
import { getResponse } from 'msw'
import { control, controlPath, controlRefusal, json } from './control.js'
import type { MockApi } from './core/mock-api.js'
import { corsHeaders, preflight } from './cors.js'
import { pathOf, sendResponse, toFetchRequest } from './node-http.js'

/** Answers a node request from the mock, whatever comes; `url` is where the mock's handlers believe to be. */
export async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  mock: MockApi,
  url: string,
): Promise<void> {
  try {
    const response = await respond(incoming, mock, url).catch((error) => {
      console.error(error)
      return json({ error: 'The mock met a fault of its own; see its output.' }, 500)
    })
    await sendResponse(response, outgoing)
  } catch {
    outgoing.destroy()
  }
}

async function respond(incoming: IncomingMessage, mock: MockApi, url: string): Promise<Response> {
  const { method = 'GET' } = incoming
  const { pathname } = new URL(`${url}${pathOf(incoming)}`)
  if (method === 'TRACE') return mock.unknown(method, pathname)

  const request = await toFetchRequest(incoming, url)
  if (pathname.startsWith(controlPath)) {
    const refusal = controlRefusal(incoming)
    return refusal ? json({ error: refusal }, 403) : control(request, mock)
  }
  const isPreflight = method === 'OPTIONS' && request.headers.has('access-control-request-method')
  if (isPreflight) return preflight(request)

  const response = (await getResponse(mock.handlers, request)) ?? mock.unknown(method, pathname)
  for (const [name, value] of Object.entries(corsHeaders(request.headers.get('origin')))) {
    response.headers.set(name, value)
  }
  return response
}
