import type { FastifyInstance } from 'fastify'
import { type MetricsOptions, registerMetrics } from './metrics-routes.js'
import { maxClockSkewMs, type SelfCheck } from './self-check.js'

export type Health = {
  /** Without it the service is always ready. */
  selfCheck?: Pick<SelfCheck, 'readiness' | 'clockSkewMs'>
  /** Without it there is no `/metrics`. */
  metrics?: MetricsOptions
}

const probe = (operation: string) => ({ config: { operation, isProbe: true } })

/** Registers the paths for monitors: `/healthz` (alive), `/readyz` (ready for requests), `/metrics`. */
export function registerHealth(app: FastifyInstance, { selfCheck, metrics }: Health): void {
  app.get('/healthz', probe('health'), async () => ({ status: 'ok' }))

  app.get('/readyz', probe('readiness'), async (_request, reply) => {
    const reason = await selfCheck?.readiness()
    const skew = selfCheck?.clockSkewMs() ?? 0
    // Reported, but the node stays ready: a wrong clock of the database would make every node unready.
    const clock = Math.abs(skew) > maxClockSkewMs ? { clockSkewSeconds: Math.round(skew / 1000) } : {}
    if (reason === undefined) return { status: 'ready', ...clock }
    reply.code(503).header('retry-after', '1')
    return { status: 'unavailable', reason, ...clock }
  })

  if (metrics) registerMetrics(app, metrics)
}
