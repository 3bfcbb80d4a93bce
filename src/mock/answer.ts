import type { IncomingMessage, ServerResponse } from 'node:http'
import { getResponse } from 'msw'
import { maxBodyBytes } from '../contract/operations.js'
import { documents } from '../pages/documents.js'
import { control, controlPath, controlRefusal, json, maxControlBytes } from './control.js'
import { followPath } from './control-table.js'
import { ControlError } from './core/control-error.js'
import { corsHeaders, preflight } from './cors.js'
import { follow } from './follow.js'
import { pathOf, sendResponse, toFetchRequest } from './node-http.js'
import type { Spaces } from './spaces.js'
import { workbenchFile } from './workbench-page.js'

/** Answers a node request from the mocks, whatever comes; `url` is where their handlers believe to be. */
export async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  spaces: Spaces,
  url: string,
): Promise<void> {
  try {
    const response = await respond(incoming, outgoing, spaces, url).catch((error) => {
      if (error instanceof ControlError) return json({ error: error.message }, error.status)
      console.error(error)
      return json({ error: 'The mock met a fault of its own; see its output.' }, 500)
    })
    await sendResponse(response, outgoing)
  } catch {
    outgoing.destroy()
  }
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  spaces: Spaces,
  url: string,
): Promise<Response> {
  const { method = 'GET' } = incoming
  const { pathname } = new URL(`${url}${pathOf(incoming)}`)
  if (method === 'TRACE') return spaces.common.unknown(method, pathname)
  // Without what it controls, which is for this machine alone, the page is nothing.
  const page = method === 'GET' && (await workbenchFile(pathname === '/' ? controlPath : pathname))
  if (page) return page
  if (pathname.startsWith(controlPath)) {
    const refusal = controlRefusal(incoming)
    if (refusal) return json({ error: refusal }, 403)
    const request = await toFetchRequest(incoming, outgoing, url, maxControlBytes)
    const { controls } = spaces.of(request.headers)
    return pathname === followPath && method === 'GET'
      ? follow(request, controls)
      : control(request, controls)
  }

  const request = await toFetchRequest(incoming, outgoing, url, maxBodyBytes)
  const isPreflight = method === 'OPTIONS' && request.headers.has('access-control-request-method')
  if (isPreflight) return preflight(request)

  const mock = spaces.of(request.headers)
  const response =
    documentAt(method, pathname) ??
    (await getResponse(mock.handlers, request)) ??
    mock.unknown(method, pathname)
  if (response.type === 'error') return response
  for (const [name, value] of Object.entries(corsHeaders(request.headers.get('origin')))) {
    response.headers.set(name, value)
  }
  return response
}

/** The description of the interface, for people and for programs. */
function documentAt(method: string, path: string): Response | undefined {
  const { headers, text } = (/^(GET|HEAD)$/.test(method) && documents.get(path)?.()) || {}
  return text === undefined ? undefined : new Response(method === 'HEAD' ? null : text, { headers })
}
