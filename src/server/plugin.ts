import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { OperationName } from '../contract/operations.js'
import { RefusedCallerError, refusalReply, unknownReply } from '../handlers/api.js'
import { guardCrossSite } from '../http/cross-site.js'
import { registerPages } from '../http/page-routes.js'
import { targetPath } from '../http/request-target.js'
import { decorateReplies, prepareReply, sendReply } from '../http/send-reply.js'
import { newId } from '../store/new-id.js'
import type { ProductionStore } from '../store/production-store.js'
import type { Store } from '../store/store.js'
import { isMalformedType } from './http/operation-routes.js'
import { createSite } from './http/site.js'
import { refuseUnknownOptions } from './option-names.js'
import type { DashboardApiOptions } from './plugin-options.js'
import { readOptions } from './read-options.js'
import { type Callers, faultReply, registerService } from './service.js'
import { resolveHostSession } from './sessions/host-session.js'
import { createSessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'

/**
 * The dashboard API as a Fastify plugin: the operations, errors and pages of the interface below a prefix, and nothing
 * outside of it. Content types, methods, error handlers and headers of the application do not change. Its hooks also apply to
 * these routes. Its router comes first: Fastify itself answers a path that cannot be decoded, and an id longer than the
 * application's `maxParamLength`.
 *
 *     await app.register(dashboardApi, { store: await openStore('data/dashboard.db'), sessions, prefix: '/api' })
 *
 * @throws SettingsError with all faults of the options; a TypeError without a store, or without a way to find callers
 */
export const dashboardApi: FastifyPluginAsync<DashboardApiOptions> = fp(register, {
  name: 'dashboard-api',
  fastify: '5.x',
  encapsulate: true,
})

async function register(app: FastifyInstance, options: DashboardApiOptions): Promise<void> {
  const { store, documents = true, sessions: own, session } = options
  refuseUnknownOptions(options, own)
  if (typeof (store as Partial<Store> | undefined)?.listProjects !== 'function') {
    throw new TypeError("dashboardApi needs `store`: await openStore('data/dashboard.db'), for example.")
  }
  if ((own === undefined) === (session === undefined)) {
    throw new TypeError('dashboardApi needs either `sessions` or `session`.')
  }
  const settings = readOptions({ ...options, ...own }, own !== undefined)
  const service = {
    ...settings,
    store,
    requestCounts: (store as Partial<ProductionStore>).requestCounts,
    now: () => new Date(),
    newId,
  }
  const prefix = app.prefix.replace(/\/$/, '')
  let listeningOrigin = 'http://localhost'
  app.addHook('onListen', async () => {
    listeningOrigin = app.listeningOrigin
  })
  const site = createSite(settings, () => listeningOrigin, prefix)

  decorateReplies(app, site.docsUrl, prefix)
  // The pipeline reads bodies after the checks of the caller. This holds in this scope alone.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  guardCrossSite(app, site)

  registerService(app, service, site, callersIn(app, options, service))
  const replyToUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = targetPath(request.originalUrl).slice(prefix.length)
    return prepareReply(reply, unknownReply(request.method, path))
  }
  app.setErrorHandler((error, request, reply) => {
    if (isMalformedType(error)) return replyToUnknown(request, reply)
    // Of a hook of the application, such as its authentication.
    const status = refusedStatus(error)
    const refusal =
      status && refusalReply(status, request.routeOptions.config.operation as OperationName | undefined)
    return sendReply(reply, refusal || faultReply(error, request))
  })
  // Without a prefix other paths are the application's.
  if (prefix !== '') app.setNotFoundHandler(replyToUnknown)
  else {
    await app.register(
      (below, _options, done) => {
        below.setNotFoundHandler(replyToUnknown)
        done()
      },
      { prefix: '/v1' },
    )
  }
  registerPages(app, documents)
}

/** The status of an error with which an application refuses a request; undefined for a fault. */
function refusedStatus(error: unknown): number | undefined {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  const isRefusal = Number.isInteger(statusCode) && Number(statusCode) >= 400 && Number(statusCode) < 500
  return isRefusal ? Number(statusCode) : undefined
}

function callersIn(
  app: FastifyInstance,
  { session, store }: DashboardApiOptions,
  settings: Parameters<typeof registerService>[1],
): Callers {
  if (session) {
    return {
      async sessionOf(request) {
        try {
          const given = await session(request)
          return given && (await resolveHostSession(store, given))
        } catch (error) {
          const status = refusedStatus(error)
          throw status === undefined ? error : new RefusedCallerError(status)
        }
      },
    }
  }
  const cookies = createSessionCookies(settings.sessionSecret)
  const onError = (err: unknown) => app.log.error({ err }, 'the use of a session was not saved')
  const sessions = createSessions({ ...settings, cookies, onError })
  return { sessionOf: sessions.sessionOf, own: { cookies, sessions } }
}
