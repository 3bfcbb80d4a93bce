import type { FastifyInstance } from 'fastify'
import { type MetricsOptions, registerMetrics } from './metrics-routes.js'
import { maxClockSkewMs, type SelfCheck } from './self-check.js'

export type Health = {
  /** Always ready, if left out. */
  selfCheck?: Pick<SelfCheck, 'readiness' | 'clockSkewMs'>
  /** Without it there is no such path. */
  metrics?: MetricsOptions
}

const probe = (operation: string) => ({ config: { operation, isProbe: true } })

/** Registers the paths for monitors: `/healthz` (alive), `/readyz` (ready for requests), `/metrics`. */
export function registerHealth(app: FastifyInstance, { selfCheck, metrics }: Health): void {
  app.get('/healthz', probe('health'), async () => ({ status: 'ok' }))

  app.get('/readyz', probe('readiness'), async (_request, reply) => {
    const reason = await selfCheck?.readiness()
    const skew = selfCheck?.clockSkewMs() ?? 0
    // Told, and no reason to get no requests: if the database's clock is the wrong one, no node would be left.
    const clock = Math.abs(skew) > maxClockSkewMs ? { clockSkewSeconds: Math.round(skew / 1000) } : {}
    if (reason === undefined) return { status: 'ready', ...clock }
    reply.code(503).header('retry-after', '1')
    return { status: 'unavailable', reason, ...clock }
  })

  if (metrics) registerMetrics(app, metrics)
}
