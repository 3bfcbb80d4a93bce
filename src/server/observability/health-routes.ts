import type { FastifyInstance } from 'fastify'
import { type Answer, send } from '../http/http-response.js'
import type { MetricsPage } from './metrics-page.js'
import type { Readiness } from './readiness.js'

export type Health = {
  /** Always ready, if left out. */
  readiness?: Pick<Readiness, 'check'>
  /** There is no such path, if left out. */
  metrics?: MetricsPage
}

/** Registers what watches the service: `/healthz` (alive), `/readyz` (send requests here), `/metrics`. */
export function mountHealth(app: FastifyInstance, { readiness, metrics }: Health): void {
  app.get('/healthz', async (request, reply) => send(request, reply, told(200, { status: 'ok' }), 'health'))

  app.get('/readyz', async (request, reply) => {
    const reason = await readiness?.check()
    const answer = reason ? told(503, { status: 'unavailable', reason }) : told(200, { status: 'ready' })
    return send(request, reply, answer, 'readiness')
  })

  if (metrics === undefined) return
  app.get('/metrics', async (request, reply) =>
    send(request, reply, await metrics(request.headers.authorization), 'metrics'),
  )
}

/** Asked for every few seconds, so that a good answer is no news. */
const told = (status: number, body: object): Answer => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 && { 'retry-after': '1' }),
  },
  text: JSON.stringify(body),
  level: status < 400 ? 'debug' : 'info',
})
