import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { RequestHandler } from 'msw'
import { isLoopbackHost } from '../../contract/loopback.js'
import { bypasses } from '../engine/user-handlers.js'

/** Names the handlers that a request comes from. */
export const handlersHeader = 'x-mock-handlers'

type Running = { ids: string[]; host: string }

const running = new AsyncLocalStorage<Running>()
const ids = new WeakMap<RequestHandler, string>()
/** Handlers of other processes have other ids. */
const processId = randomUUID()
let lastId = 0
let isMarking = false

const idOf = (handler: RequestHandler): string => {
  lastId += 1
  const id = ids.get(handler) ?? `${processId}-${lastId}`
  ids.set(handler, id)
  return id
}

type Created = { request: { origin: string; addHeader(name: string, value: string): void } }

/** Marks the requests of `fetch` that a handler sends to this machine, by the channel that undici documents. */
function markRequests(): void {
  if (isMarking) return
  isMarking = true
  subscribe('undici:request:create', (message) => {
    const { request } = message as Created
    const sender = running.getStore()
    if (!sender) return
    const { host, hostname } = new URL(request.origin)
    if (host === sender.host || isLoopbackHost(hostname))
      request.addHeader(handlersHeader, String(sender.ids))
  })
}

/**
 * The calls of the user's handlers for a request. A handler may ask the mock's own origin, as in MSW's response patching: such
 * a request gets the mock's answer, and never reaches that handler again. With `bypass` it reaches no handler.
 */
export function handlerCalls(headers: Readonly<Record<string, string | undefined>>, baseUrl: string) {
  const from = headers[handlersHeader]?.split(',').filter((id) => id.startsWith(processId)) ?? []
  const isBypassed = from.length > 0 && bypasses(headers.accept)
  return {
    skips: (handler: RequestHandler): boolean =>
      isBypassed || (from.length > 0 && from.includes(idOf(handler))),
    call<Result>(handler: RequestHandler, run: () => Result): Result {
      markRequests()
      return running.run({ ids: [...from, idOf(handler)], host: new URL(baseUrl).host }, run)
    },
  }
}
