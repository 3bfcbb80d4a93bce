import { createHash, timingSafeEqual } from 'node:crypto'
import fastify, { type FastifyInstance } from 'fastify'
import { trackConnections } from '../../http/connections.js'
import { listenAt } from '../../http/loopback-server.js'
import type { Metrics } from './metrics.js'

export type MetricsOptions = {
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** The bearer token of requests. Without it none is needed. */
  token?: string
}

/** The maximum number of connections to the port of the metrics: they take file descriptors from the service. */
const maxConnections = 100

export function registerMetrics(app: FastifyInstance, { metrics, token }: MetricsOptions): void {
  app.get('/metrics', { config: { operation: 'metrics', isProbe: true } }, async (request, reply) => {
    reply.headers({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    if (token !== undefined && !isEqual(request.headers.authorization ?? '', `Bearer ${token}`)) {
      reply.code(401).header('www-authenticate', 'Bearer realm="metrics"')
      return 'The metrics need a bearer token.\n'
    }
    const text = await metrics.text()
    reply.header('content-type', metrics.contentType)
    return text
  })
}

/**
 * Serves only the metrics, on a separate port.
 * @throws the system's error if it cannot listen on the address
 */
export async function listenForMetrics(
  address: { host: string; port: number },
  options: MetricsOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send())
  registerMetrics(app, options)
  trackConnections(app.server, { max: maxConnections })
  const { origin, second } = await listenAt(app, address).catch(async (error) => {
    // It may listen at one address of localhost already.
    await app.close()
    throw error
  })
  const close = async () => {
    second?.close()
    await app.close()
  }
  return { url: `${origin}/metrics`, close }
}

/** Compares digests, so that the time reveals neither the length nor the first difference. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
