import { maxBodyBytes } from '../../contract/operations.js'
import { documents } from '../../pages/documents.js'
import { ControlError } from '../core/control-error.js'
import type { MockReply } from '../core/mock-handler.js'
import { workbenchFile } from '../workbench-page.js'
import { control, controlPath, controlRefusal, json, maxControlBytes } from './control-routes.js'
import { followPath } from './control-table.js'
import { corsHeaders, preflight } from './cors.js'
import { type Incoming, type Outgoing, pathOf, readRequest, sendReply, sendResponse } from './node-http.js'
import type { Spaces } from './spaces.js'
import { streamLog } from './stream-log.js'

/** Answers a node request from the mocks, whatever comes; `url` is where their handlers believe to be. */
export async function handleRequest(
  incoming: Incoming,
  outgoing: Outgoing,
  spaces: Spaces,
  url: string,
): Promise<void> {
  try {
    const answered = await respond(incoming, outgoing, spaces, url).catch((error) => {
      if (incoming.aborted) return undefined
      if (error instanceof ControlError) return json({ error: error.message }, error.status)
      console.error(error)
      return json({ error: 'The mock met a fault of its own; see its output.' }, 500)
    })
    if (answered instanceof Response) await sendResponse(answered, outgoing)
    else sendReply(answered, outgoing)
  } catch {
    outgoing.destroy()
  }
}

/** The interface answers with plain replies, undefined where the connection breaks; what controls it, with Fetch's. */
async function respond(
  incoming: Incoming,
  outgoing: Outgoing,
  spaces: Spaces,
  url: string,
): Promise<Response | MockReply | undefined> {
  const { method = 'GET' } = incoming
  const target = new URL(`${url}${pathOf(incoming)}`)
  const { pathname } = target
  if (method === 'TRACE') return spaces.common.unknown(method, pathname)
  // Without what it controls, which is for this machine alone, the page is nothing.
  const page = method === 'GET' && (await workbenchFile(pathname === '/' ? controlPath : pathname))
  if (page) return page
  if (pathname.startsWith(controlPath)) {
    const refusal = controlRefusal(incoming)
    if (refusal) return json({ error: refusal }, 403)
    const asked = await readRequest(incoming, outgoing, target, maxControlBytes)
    const { controls } = spaces.forRequest(asked.headers)
    return pathname === followPath && method === 'GET' ? streamLog(asked, controls) : control(asked, controls)
  }

  const asked = await readRequest(incoming, outgoing, target, maxBodyBytes)
  const { headers } = asked
  if (method === 'OPTIONS' && headers.has('access-control-request-method')) return preflight(headers)

  const mock = spaces.forRequest(headers)
  const reply = documentAt(method, pathname) ?? (await mock.reply(asked))
  return reply && { ...reply, headers: { ...reply.headers, ...corsHeaders(headers.get('origin')) } }
}

/** The description of the interface, for people and for programs. */
function documentAt(method: string, path: string): MockReply | undefined {
  const document = /^(GET|HEAD)$/.test(method) ? documents.get(path)?.() : undefined
  return (
    document && { status: 200, headers: document.headers, body: method === 'HEAD' ? null : document.text }
  )
}
