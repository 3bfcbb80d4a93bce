import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { isLoopbackOrigin } from '../contract/loopback.js'
import { hasHost, isCrossSite } from '../contract/page-origin.js'
import { controlEndpoints, controlHeader, controlNames, pageHeader } from './controls/control-endpoints.js'
import { controlTable } from './controls/control-table.js'
import { controlRefusal } from './http/control-routes.js'
import type { NodeRequest, NodeResponse } from './http/node-types.js'
import { waitOf } from './log/filter-rules.js'

/** The connection of Vite to its pages. */
export type ViteSocket = {
  on(event: string, listener: (data: unknown, client: ViteClient) => void): unknown
}
type ViteClient = { send(event: string, data: unknown): void }

type Answer = { output?: unknown; error?: string; possible?: string[] }

/** The module for the page, which Vite serves. */
export const bridgePath = '/@dashboard-api/page-bridge'

/** The time limit of a page's answer, in milliseconds. */
const timeoutMs = 10_000

/** Passes calls on to the channel on which the page's mock answers its workbench. */
export const bridgeModule = `
const hot = import.meta.hot
const announce = () => hot.send('dashboard-api:page')
hot.on('vite:ws:connect', announce)
addEventListener('focus', announce)
announce()
const channelName = () => sessionStorage.getItem('dashboard-api-workbench')
hot.on('dashboard-api:call', async ({ id, method, path, input }) => {
  dispatchEvent(new Event('dashboard-api:connect'))
  for (let tries = 0; tries < 20 && !channelName(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 100))
  const name = channelName()
  if (!name) return hot.send('dashboard-api:answer', { id, error: 'The page has no mock that can be controlled: call mockPanel(mock) in it.' })
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    if (data.id !== id) return
    channel.close()
    hot.send('dashboard-api:answer', data)
  }
  channel.postMessage({ id, method, path, input })
})
`

/**
 * Lets programs of this machine control the mock in a page, through Vite's connection to it. The page that was opened or
 * focused last answers.
 * @returns a request handler that ignores requests without the header of a page's mock
 */
export function createPageBridge(ws: ViteSocket) {
  let page: ViteClient | undefined
  const waiting = new Map<string, (answer: Answer) => void>()
  ws.on('dashboard-api:page', (_data, client) => {
    page = client
  })
  ws.on('dashboard-api:answer', (data) => {
    const { id, ...answer } = data as Answer & { id: string }
    waiting.get(id)?.(answer)
  })

  const call = (method: string, path: string, input: unknown) =>
    new Promise<Answer>((resolve) => {
      const id = crypto.randomUUID()
      const settle = (answer: Answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      }
      // A call that waits takes as long as it says.
      const limit = timeoutMs + waitOf(input)
      const error = page
        ? `The page that was opened or focused last has not answered for ${limit / 1000} s.`
        : 'No page has connected to this server. Open the application in a browser, with mockPanel(mock) in it.'
      const timer = setTimeout(settle, page ? limit : 0, { error })
      waiting.set(id, settle)
      page?.send('dashboard-api:call', { id, method, path, input })
    })

  return (request: NodeRequest, response: NodeResponse, next: () => void): unknown => {
    const { method = 'GET', url = '', headers } = request
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (headers[pageHeader] === undefined || !pathname.startsWith('/__dev/')) return next()
    const send = (status: number, body: unknown) => {
      response.statusCode = status
      response.setHeader(controlHeader, '1')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    const sender = {
      origin: headers.origin,
      secFetchSite: headers['sec-fetch-site']?.toString(),
      host: headers.host ?? '',
    }
    const isOther = isCrossSite(sender, { isAllowed: isLoopbackOrigin, isOwn: hasHost })
    const refusal = isOther ? 'Pages of other sites may not control the mock.' : controlRefusal(request)
    if (refusal) return send(403, { error: refusal })
    const name = controlNames.find((known) => controlEndpoints[known] === `${method} ${pathname}`)
    if (!name) return send(404, { error: `There is no control ${method} ${pathname}.` })
    const read = async () =>
      method === 'GET' ? Object.fromEntries(searchParams) : JSON.parse((await text(request)) || '{}')
    const answer = async (given: unknown) => {
      // The page has no schemas, and a query has numbers as text.
      const { data: input, error: fault } = controlTable[name].input.safeParse(given)
      if (fault) return send(422, { error: z.prettifyError(fault) })
      const { output, error, possible } = await call(method, pathname.replace('/__dev/', ''), input)
      return error === undefined ? send(200, output) : send(422, { error, possible })
    }
    const refuse = (error: Error) => send(400, { error: `The body cannot be read as JSON: ${error.message}` })
    return read()
      .then(answer, refuse)
      .catch((error: Error) => send(500, { error: error.message }))
  }
}
