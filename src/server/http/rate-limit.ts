import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { operations } from '../../contract/operations.js'
import { operationalReply } from '../../handlers/reply.js'
import { type Allowance, addressAllowances } from '../../node-server/address-allowance.js'
import type { RequestCounts } from '../../store/request-counts.js'
import { backChannelLogoutPath } from '../sign-in/back-channel-logout.js'
import { clientAddress } from './client-address.js'
import { sendReply } from './send-reply.js'

/** How many requests may be sent within a time, in milliseconds. */
export type Rate = { max: number; ms: number }

/** The rate of one client for what needs no session, and of one session for projects; off, if left out. */
export type Rates = { [What in 'waitlist' | 'signIn' | 'backChannelLogout' | 'projects']?: Rate | 'off' }

export type RateLimitOptions = {
  /**
   * The counts of all nodes; this process counts for itself, if they are left out. A request that cannot be counted is
   * 503, since what is limited here writes to the same database; reads go on.
   */
  counts?: RequestCounts
  /** The id of the session that a request claims, if its cookie is signed: nobody can send those of others, or any number. */
  sessionOf(request: FastifyRequest): string | undefined
}

/**
 * Limits the rate of requests of one client, or of one session. A client is an IPv4 address or an IPv6 /64, and a /48 has
 * eight times the rate, since one client has many IPv6 addresses; behind a proxy that is not trusted, it is the proxy.
 */
export function limitRates(
  app: FastifyInstance,
  { waitlist, signIn, backChannelLogout, projects }: Rates,
  { counts, sessionOf }: RateLimitOptions,
): void {
  void app.register(rateLimit, { global: false, ...(counts && { store: storeOver(counts) }) })
  const ofClient = (path: string, rate: Rate | 'off' = 'off'): [string, Limit] => [
    path,
    { rate, allowances: (request, max) => addressAllowances(clientAddress(request), max) },
  ]
  const limits = [
    ofClient(operations.joinWaitlist.path, waitlist),
    ofClient('/auth/sign-in', signIn),
    ofClient('/auth/callback', signIn),
    ofClient(backChannelLogoutPath, backChannelLogout),
  ]
  const ofSession: Limit = {
    rate: projects ?? 'off',
    allowances(request, max) {
      const group = sessionOf(request)
      return group === undefined ? [] : [{ group, max }]
    },
    isOptional: ({ method }) => method === 'GET' || method === 'HEAD',
  }
  limits.push([operations.listProjects.path, ofSession])
  const hooks = limits.map(([path, limit]) => [path, limitHook(app, path, limit)] as const)
  app.addHook('onRoute', (route) => {
    const [, hook] = hooks.find(([path]) => route.url === path || route.url.startsWith(`${path}/`)) ?? []
    if (hook) route.onRequest = hook
  })
}

type Limit = {
  rate: Rate | 'off'
  /** The groups that a request counts in, two at most, and how many requests each may send. */
  allowances(request: FastifyRequest, max: number): Allowance[]
  /** Whether a request goes on if it cannot be counted; none, if left out. */
  isOptional?(request: FastifyRequest): boolean
}

/** The hook of the routes that a limit is for: they are counted together. */
function limitHook(app: FastifyInstance, path: string, { rate, allowances, isOptional }: Limit) {
  if (rate === 'off') return undefined
  const groups = new WeakMap<FastifyRequest, Allowance[]>()
  const createCheck = (level: number) =>
    app.createRateLimit({
      timeWindow: rate.ms,
      max: (request) => groups.get(request)?.[level]?.max ?? rate.max,
      keyGenerator: (request) => `${path} ${groups.get(request)?.[level]?.group}`,
    })
  let checks: ReturnType<typeof createCheck>[] | undefined
  return async (request: FastifyRequest, reply: FastifyReply) => {
    checks ??= [createCheck(0), createCheck(1)]
    const counted = allowances(request, rate.max)
    groups.set(request, counted)
    for (const [level] of counted.entries()) {
      const limit = await checks[level]?.(request).catch((error) => {
        if (!isOptional?.(request)) throw error
      })
      if (!limit || limit.isAllowed || !limit.isExceeded) continue
      const retry = { 'retry-after': String(Math.max(1, limit.ttlInSeconds)) }
      return sendReply(reply, operationalReply('RATE_LIMITED', retry))
    }
  }
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
