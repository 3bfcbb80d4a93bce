import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { operations } from '../../contract/operations.js'
import { operationalReply } from '../../handlers/reply.js'
import { addressAllowances } from '../../http/address-allowance.js'
import { sendReply } from '../../http/send-reply.js'
import type { RequestCounts } from '../../store/production-store.js'
import { backChannelLogoutPath } from '../sign-in/back-channel-logout.js'
import { clientAddress } from './client-address.js'

type Rate = { max: number; ms: number }

/** The rates of one client, for requests that need no session. */
export type Rates = {
  waitlistRate: Rate | 'off'
  /** Of sign-ins, and of returns from the provider. */
  signInRate?: Rate | 'off'
  /** The client is the identity provider. */
  backChannelLogoutRate?: Rate | 'off'
}

/** The rates that no setting changes. */
export const fixedRates = {
  signInRate: { max: 60, ms: 60_000 },
  backChannelLogoutRate: { max: 6_000, ms: 60_000 },
}

type Counts = Pick<RequestCounts, 'add'>

/**
 * Limits the rate of requests of one client. A client is an IPv4 address or an IPv6 /64, and a /48 has eight times the rate,
 * since one client has many IPv6 addresses; behind a proxy that is not trusted, it is the proxy.
 *
 * Not @fastify/rate-limit: it has one key a request, where an IPv6 client counts in two groups with two rates.
 * @param counts the counts of all nodes; this process counts for itself, if they are left out. A request that cannot be
 *   counted is 503, since the limited requests write to the same database.
 */
export function limitRates(
  app: FastifyInstance,
  {
    waitlistRate,
    signInRate = fixedRates.signInRate,
    backChannelLogoutRate = fixedRates.backChannelLogoutRate,
  }: Rates,
  counts: Counts = countHere(),
): void {
  const rates: Record<string, Rate | 'off'> = {
    [operations.joinWaitlist.path]: waitlistRate,
    '/auth/sign-in': signInRate,
    '/auth/callback': signInRate,
    [backChannelLogoutPath]: backChannelLogoutRate,
  }
  app.addHook('onRoute', (route) => {
    const rate = rates[route.routePath] ?? 'off'
    if (rate !== 'off') route.onRequest = limitHook(route.routePath, rate, counts)
  })
}

const limitHook =
  (path: string, rate: Rate, counts: Counts) => async (request: FastifyRequest, reply: FastifyReply) => {
    for (const { group, max } of addressAllowances(clientAddress(request), rate.max)) {
      const { requests, leftMs } = await counts.add(`${path} ${group}`, rate.ms)
      if (requests <= max) continue
      const seconds = Math.max(1, Math.ceil(leftMs / 1000))
      return sendReply(reply, operationalReply('RATE_LIMITED', { 'retry-after': String(seconds) }))
    }
  }

/** Counts the requests of this process alone. */
function countHere(): Counts {
  const windows = new LRUCache<string, { requests: number }>({ max: 10_000 })
  return {
    async add(key, windowMs) {
      const window = windows.get(key) ?? { requests: 0 }
      if (window.requests === 0) windows.set(key, window, { ttl: windowMs })
      window.requests += 1
      return { requests: window.requests, leftMs: windows.getRemainingTTL(key) }
    },
  }
}
