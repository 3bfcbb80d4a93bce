import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import { isLoopbackHost, isLoopbackOrigin } from './core/loopback.js'
import type { MockApi } from './core/mock-api.js'
import { UnknownPersonaError } from './core/personas.js'

/** Below this path the dev server is told what to be, and by this machine alone. */
export const controlPath = '/__dev/'

/**
 * Why a request may not control the mock, or undefined where it may. The Host is checked against pages that
 * point a name of their own at this machine, the Origin against pages from elsewhere.
 */
export function controlRefusal({ socket, headers }: IncomingMessage): string | undefined {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (address !== '::1' && !isLoopbackHost(address)) return 'Only this machine may control the mock.'
  const { host = '', origin } = headers
  const url = `http://${host}`
  if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
    return 'The Host header must name this machine, e.g. 127.0.0.1.'
  }
  if (origin !== undefined && !isLoopbackOrigin(origin))
    return 'The Origin header must be a page of this machine.'
  return undefined
}

/** Answers a request below `/__dev/`. */
export async function control(request: Request, mock: MockApi): Promise<Response> {
  const { pathname } = new URL(request.url)
  switch (`${request.method} ${pathname}`) {
    case 'GET /__dev/sessions':
      return json(await sessions(mock))
    case 'PUT /__dev/sessions/active':
      return switchPersona(request, mock)
    default:
      return json({ error: `There is no control ${request.method} ${pathname}.` }, 404)
  }
}

const ChosenSession = z.strictObject({ id: z.string() })

async function switchPersona(request: Request, mock: MockApi): Promise<Response> {
  if (!request.headers.get('content-type')?.startsWith('application/json')) {
    return json({ error: 'Send application/json.' }, 415)
  }
  const chosen = ChosenSession.safeParse(await request.json().catch(() => undefined))
  if (!chosen.success) return json({ error: 'Send {"id": "<persona>"}.' }, 422)
  try {
    await mock.session.use(chosen.data.id)
    return json(await sessions(mock))
  } catch (error) {
    if (error instanceof UnknownPersonaError) return json({ error: error.message }, 404)
    throw error
  }
}

/** The personas and the one in use. */
async function sessions(mock: MockApi) {
  const { users } = await mock.export()
  const email = new Map(users.map((user) => [user.id, user.email]))
  const list = await mock.session.list()
  return {
    active: (await mock.session.current())?.id,
    sessions: list.map(({ id, userId, orgCode, role, note }) => ({
      id,
      email: email.get(userId) ?? '',
      orgCode,
      role,
      note,
    })),
  }
}

export const json = (body: unknown, status = 200): Response => Response.json(body, { status })
