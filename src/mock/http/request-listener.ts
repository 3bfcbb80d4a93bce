import { getResponse } from 'msw'
import { maxBodyBytes } from '../../contract/operations.js'
import { documents, isUnchanged } from '../../pages/documents.js'
import { ControlError } from '../core/control-error.js'
import { workbenchFile } from '../workbench-page.js'
import { control, controlPath, controlRefusal, json, maxControlBytes } from './control-routes.js'
import { followPath } from './control-table.js'
import { addCorsHeaders, preflight } from './cors.js'
import {
  isForbiddenMethod,
  type NodeRequest,
  type NodeResponse,
  requestPath,
  sendResponse,
  toRequest,
} from './node-http.js'
import type { Spaces } from './spaces.js'
import { streamLog } from './stream-log.js'

/**
 * Answers a Node request from the mocks. It never rejects.
 * @param url the base URL of the mocks' handlers
 */
export async function handleRequest(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  spaces: Spaces,
  url: string,
): Promise<void> {
  try {
    const response = await respond(incoming, outgoing, spaces, url).catch((error) => {
      if (incoming.aborted) return Response.error()
      if (error instanceof ControlError) return json({ error: error.message }, error.status)
      console.error(error)
      return json({ error: 'The mock failed; see its output.' }, 500)
    })
    await sendResponse(response, outgoing)
  } catch {
    outgoing.destroy()
  }
}

async function respond(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  spaces: Spaces,
  baseUrl: string,
): Promise<Response> {
  const { method = 'GET' } = incoming
  const url = new URL(`${baseUrl}${requestPath(incoming)}`)
  const { pathname } = url
  if (isForbiddenMethod(method)) return spaces.common.unknown(method, pathname)
  // The page may be read from other machines; it does nothing without the control plane, which refuses them.
  const page = method === 'GET' && (await workbenchFile(pathname === '/' ? controlPath : pathname))
  if (page) return page
  if (pathname.startsWith(controlPath)) {
    const refusal = controlRefusal(incoming)
    if (refusal) return json({ error: refusal }, 403)
    const request = await toRequest(incoming, outgoing, url, maxControlBytes)
    const { controls } = spaces.forRequest(request.headers)
    return pathname === followPath && method === 'GET'
      ? streamLog(request, controls)
      : control(request, controls)
  }

  const request = await toRequest(incoming, outgoing, url, maxBodyBytes)
  const { headers } = request
  if (method === 'OPTIONS' && headers.has('access-control-request-method')) return preflight(request)

  const mock = spaces.forRequest(headers)
  const response =
    documentAt(request, pathname) ??
    (await getResponse(mock.handlers, request)) ??
    mock.unknown(method, pathname)
  if (response.type !== 'error') addCorsHeaders(response, headers.get('origin'))
  return response
}

/** The documents that describe the interface, for people and for programs. */
function documentAt({ method, headers }: Request, path: string): Response | undefined {
  const document = /^(GET|HEAD)$/.test(method) ? documents.get(path)?.() : undefined
  if (!document) return undefined
  const isCurrent = isUnchanged(document, headers.get('if-none-match'))
  const body = isCurrent || method === 'HEAD' ? null : document.text
  return new Response(body, { status: isCurrent ? 304 : 200, headers: document.headers })
}
