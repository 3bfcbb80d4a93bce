import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { operationalReply } from '../../handlers/reply.js'
import { addressAllowances } from '../../http/address-allowance.js'
import { sendReply } from '../../http/send-reply.js'
import type { RequestCounts } from '../../store/production-store.js'
import { clientAddress } from './client-address.js'

type Rate = { max: number; ms: number }

/** The rates of requests without a session, for each client. */
export type Rates = {
  waitlistRate: Rate | 'off'
  /** For sign-ins, and for returns from the provider. */
  signInRate?: Rate | 'off'
  /** The client is the identity provider. */
  backChannelLogoutRate?: Rate | 'off'
}

/** Rates without a setting. */
export const fixedRates = {
  signInRate: { max: 60, ms: 60_000 },
  backChannelLogoutRate: { max: 6_000, ms: 60_000 },
}

type Counts = Pick<RequestCounts, 'add'>

/**
 * Limits the rate of requests of each client. A client is an IPv4 address or an IPv6 /64; a /48 has eight times the rate,
 * since one client has many IPv6 addresses. Behind an untrusted proxy, the client is the proxy.
 * Not @fastify/rate-limit: it has one key a request, and an IPv6 client counts in two groups.
 * @param counts the counts of all nodes; by default this process counts alone. A request that cannot be counted gets 503,
 *   since its operation writes to the same database.
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
    joinWaitlist: waitlistRate,
    signIn: signInRate,
    signInCallback: signInRate,
    backChannelLogout: backChannelLogoutRate,
  }
  app.addHook('onRoute', (route) => {
    const rate = rates[route.config?.operation ?? ''] ?? 'off'
    // After the hooks that an application adds to each route.
    if (rate !== 'off')
      route.onRequest = [route.onRequest ?? [], limitHook(route.routePath, rate, counts)].flat()
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

/** Counts the requests of this process. */
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
