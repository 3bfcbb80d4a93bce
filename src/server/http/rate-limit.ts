import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { operations } from '../../contract/operations.js'
import { operationalReply } from '../../handlers/reply.js'
import { type Allowance, addressAllowances } from '../../http/address-allowance.js'
import { sendReply } from '../../http/send-reply.js'
import type { RequestCounts } from '../../store/production-store.js'
import type { Settings } from '../settings/settings.js'
import { backChannelLogoutPath } from '../sign-in/back-channel-logout.js'
import { clientAddress } from './client-address.js'

/** The rate of one client for what needs no session, and of one session for projects. */
type Rates = Pick<Settings, 'waitlistRate' | 'signInRate' | 'backChannelLogoutRate' | 'projectsRate'>
type Rate = Exclude<Rates[keyof Rates], 'off'>

export type RateLimitOptions = {
  /**
   * The counts of all nodes; this process counts for itself, if they are left out. A request that cannot be counted is
   * 503, since what is limited here writes to the same database; reads go on.
   */
  counts?: Pick<RequestCounts, 'add'>
  /** The id of the session that a request claims, if its cookie is signed: no client can send the ids of others, or make up any number. */
  sessionIdOf: ((request: FastifyRequest) => string | undefined) | undefined
}

/**
 * Limits the rate of requests of one client, or of one session. A client is an IPv4 address or an IPv6 /64, and a /48 has
 * eight times the rate, since one client has many IPv6 addresses; behind a proxy that is not trusted, it is the proxy.
 *
 * Not @fastify/rate-limit: it has one key a request, where an IPv6 client counts in two groups with two rates, and reads go
 * on where they cannot be counted while writes do not.
 */
export function limitRates(
  app: FastifyInstance,
  { waitlistRate, signInRate, backChannelLogoutRate, projectsRate }: Rates,
  { counts = countHere(), sessionIdOf }: RateLimitOptions,
): void {
  const ofClient: Limit['allowances'] = (request, max) => addressAllowances(clientAddress(request), max)
  const limits: Limit[] = [
    { path: operations.joinWaitlist.path, rate: waitlistRate, allowances: ofClient },
    { path: '/auth/sign-in', rate: signInRate, allowances: ofClient },
    { path: '/auth/callback', rate: signInRate, allowances: ofClient },
    { path: backChannelLogoutPath, rate: backChannelLogoutRate, allowances: ofClient },
    {
      path: operations.listProjects.path,
      rate: projectsRate,
      allowances(request, max) {
        const group = sessionIdOf?.(request)
        return group === undefined ? [] : [{ group, max }]
      },
      isOptional: ({ method }) => method === 'GET' || method === 'HEAD',
    },
  ]
  app.addHook('onRoute', (route) => {
    const limit = limits.find(
      ({ path }) => route.routePath === path || route.routePath.startsWith(`${path}/`),
    )
    if (limit && limit.rate !== 'off') route.onRequest = limitHook(limit, limit.rate, counts)
  })
}

type Limit = {
  /** The path of the routes that it is for, which are counted together. */
  path: string
  rate: Rate | 'off'
  /** The groups that a request counts in, and how many requests each may send. */
  allowances(request: FastifyRequest, max: number): Allowance[]
  /** Whether a request goes on if it cannot be counted; none, if left out. */
  isOptional?(request: FastifyRequest): boolean
}

const limitHook =
  ({ path, allowances, isOptional }: Limit, rate: Rate, counts: Pick<RequestCounts, 'add'>) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    for (const { group, max } of allowances(request, rate.max)) {
      const count = await counts.add(`${path} ${group}`, rate.ms).catch((error) => {
        if (!isOptional?.(request)) throw error
      })
      if (!count || count.requests <= max) continue
      const seconds = Math.max(1, Math.ceil(count.leftMs / 1000))
      return sendReply(reply, operationalReply('RATE_LIMITED', { 'retry-after': String(seconds) }))
    }
  }

/** Counts the requests of this process alone. */
function countHere(): Pick<RequestCounts, 'add'> {
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
