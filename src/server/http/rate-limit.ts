import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { operations } from '../../contract/operations.js'
import { type DocsUrl, operationalReply } from '../../handlers/reply.js'
import { jsonAnswer, send } from './http-response.js'

/** How often one client may ask within a time, in milliseconds. */
export type Rate = { max: number; ms: number }

/** Where anybody may ask without a session. */
export type Rates = { waitlist: Rate | 'off'; signIn: Rate | 'off' }

/**
 * Limits how often one client may ask. A client is an address, or an IPv6 network, for one has many addresses
 * there; behind a proxy that is not trusted, the proxy. Each process counts for itself.
 */
export function limitRates(app: FastifyInstance, { waitlist, signIn }: Rates, docsUrl: DocsUrl): void {
  const rates = new Map([
    [operations.joinWaitlist.path, waitlist],
    ['/auth/sign-in', signIn],
    ['/auth/callback', signIn],
  ])
  void app.register(rateLimit, { global: false })
  app.addHook('onRoute', (route) => {
    const rate = rates.get(route.url)
    if (rate === undefined || rate === 'off') return
    let check: ReturnType<typeof app.createRateLimit> | undefined
    route.onRequest = async (request, reply) => {
      check ??= app.createRateLimit({ max: rate.max, timeWindow: rate.ms })
      const limit = await check(request)
      if (limit.isAllowed || !limit.isExceeded) return
      const retry = { 'retry-after': String(Math.max(1, limit.ttlInSeconds)) }
      return send(request, reply, jsonAnswer(operationalReply('RATE_LIMITED', docsUrl, retry)))
    }
  })
}
