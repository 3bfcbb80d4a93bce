import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operations } from '../../contract/operations.js'
import { operationalReply } from '../../handlers/reply.js'
import { addressAllowances } from '../../node-server/address-allowance.js'
import type { RequestCounts } from '../../store/request-counts.js'
import { clientAddress } from './client-address.js'
import { sendReply } from './send-reply.js'

/** How many requests one client may send within a time, in milliseconds. */
export type Rate = { max: number; ms: number }

/** The rates of what needs no session. */
export type Rates = { waitlist: Rate | 'off'; signIn: Rate | 'off' }

/**
 * Limits the rate of requests of one client. A client is an IPv4 address or an IPv6 /64, and a /48 has eight times the
 * rate, since one client has many IPv6 addresses; behind a proxy that is not trusted, it is the proxy.
 * @param counts of all nodes; this process counts for itself, if they are left out. Where a request cannot be counted, it
 *   is 503: what is limited here writes to the same database.
 */
export function limitRates(app: FastifyInstance, { waitlist, signIn }: Rates, counts?: RequestCounts): void {
  const rates = new Map([
    [operations.joinWaitlist.path, waitlist],
    ['/auth/sign-in', signIn],
    ['/auth/callback', signIn],
  ])
  void app.register(rateLimit, { global: false, ...(counts && { store: storeOver(counts) }) })
  app.addHook('onRoute', (route) => {
    const rate = rates.get(route.url)
    if (rate === undefined || rate === 'off') return
    const allowancesOf = (request: FastifyRequest) => addressAllowances(clientAddress(request), rate.max)
    const createCheck = (level: number) =>
      app.createRateLimit({
        timeWindow: rate.ms,
        max: (request) => allowancesOf(request)[level]?.max ?? rate.max,
        keyGenerator: (request) => `${route.url} ${allowancesOf(request)[level]?.group}`,
      })
    let checks: ReturnType<typeof createCheck>[] | undefined
    route.onRequest = async (request, reply) => {
      checks ??= [createCheck(0), createCheck(1)]
      for (const [level] of allowancesOf(request).entries()) {
        const limit = await checks[level]?.(request)
        if (!limit || limit.isAllowed || !limit.isExceeded) continue
        const retry = { 'retry-after': String(Math.max(1, limit.ttlInSeconds)) }
        return sendReply(reply, operationalReply('RATE_LIMITED', retry))
      }
    }
  })
}

/** The counts as a store of the plugin. */
const storeOver = (counts: RequestCounts) =>
  class implements FastifyRateLimitStore {
    incr(...[key, callback, timeWindow]: Parameters<FastifyRateLimitStore['incr']>) {
      counts
        .add(key, timeWindow)
        .then(({ requests, leftMs }) => callback(null, { current: requests, ttl: leftMs }), callback)
    }
    child() {
      return this
    }
  }
