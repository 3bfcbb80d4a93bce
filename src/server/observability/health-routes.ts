import type { FastifyInstance } from 'fastify'
import type { MetricsPage } from './metrics-page.js'
import type { Readiness } from './readiness.js'

export type Health = {
  /** Always ready, if left out. */
  readiness?: Pick<Readiness, 'check'>
  /** Without it there is no such path. */
  metrics?: MetricsPage
}

const probe = (operation: string) => ({ config: { operation, isProbe: true } })

/** Registers the paths for monitors: `/healthz` (alive), `/readyz` (ready for requests), `/metrics`. */
export function registerHealth(app: FastifyInstance, { readiness, metrics }: Health): void {
  app.get('/healthz', probe('health'), async () => ({ status: 'ok' }))

  app.get('/readyz', probe('readiness'), async (_request, reply) => {
    const reason = await readiness?.check()
    if (reason === undefined) return { status: 'ready' }
    reply.code(503).header('retry-after', '1')
    return { status: 'unavailable', reason }
  })

  if (metrics === undefined) return
  app.get('/metrics', probe('metrics'), async (request, reply) => {
    const { status, headers, text } = await metrics(request.headers.authorization)
    reply.code(status).headers(headers)
    return text
  })
}
