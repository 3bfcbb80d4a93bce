import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { cookieValues } from '../contract/cookie.js'
import { guardCrossSite } from '../http/cross-site.js'
import { registerPages } from '../http/page-routes.js'
import { decorateReplies, replyUnknown, sendReply } from '../http/send-reply.js'
import { isRefusedBody } from '../http/shell.js'
import { newId } from '../store/new-id.js'
import type { ProductionStore } from '../store/production-store.js'
import type { Store } from '../store/store.js'
import { errorReply } from './error-reply.js'
import { createSite } from './http/site.js'
import { refuseUnknownOptions } from './option-names.js'
import type { DashboardApiOptions } from './plugin-options.js'
import { readOptions } from './read-options.js'
import { type Callers, registerService } from './service.js'
import { resolveHostSession } from './sessions/host-session.js'
import { createSessionCookies } from './sessions/session-cookie.js'
import { createSessions } from './sessions/sessions.js'
import { describeRoutes } from './swagger-schema.js'

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
  const { store, documents = true, swagger = true, sessions: own, session } = options
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
  let listeningOrigin = ''
  app.addHook('onListen', async () => {
    listeningOrigin = app.listeningOrigin
  })
  const site = createSite(settings, () => listeningOrigin, prefix)

  decorateReplies(app, site.docsUrl, prefix)
  guardCrossSite(app, site)
  if (app.hasDecorator('swagger')) describeRoutes(app, swagger)
  registerService(app, service, site, callersIn(app, options, service))
  const replyToUnknown = async (request: FastifyRequest, reply: FastifyReply) => replyUnknown(request, reply)
  app.setErrorHandler((error, request, reply) =>
    request.is404 && isRefusedBody(error)
      ? replyToUnknown(request, reply)
      : sendReply(reply, errorReply(error, request, reply)),
  )
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
  registerPages(app, prefix, documents)
}

function callersIn(
  app: FastifyInstance,
  { session, store }: DashboardApiOptions,
  settings: Parameters<typeof registerService>[1],
): Callers {
  if (session) {
    return {
      async sessionOf(request) {
        const given = await session(request)
        return given ? resolveHostSession(store, given) : undefined
      },
    }
  }
  const cookies = createSessionCookies(settings.sessionSecret)
  const onError = (err: unknown) => app.log.error({ err }, 'the use of a session was not saved')
  const sessions = createSessions({ ...settings, cookies, onError })
  const { sessionCookie } = settings
  let isWarned = false
  return {
    async sessionOf(request) {
      const found = await sessions.sessionOf(request)
      const isForeign = () =>
        app.hasRequestDecorator('session') &&
        cookieValues(request.headers.cookie, sessionCookie).length > 0 &&
        sessions.claimedId(request) === undefined
      // The name of an application's cookie can only be seen in a request.
      if (!found && !isWarned && isForeign()) {
        isWarned = true
        request.log.error(
          `dashboardApi: a cookie "${sessionCookie}" was not signed here, and the application has sessions too: if its cookie has this name, give it another one`,
        )
      }
      return found
    },
    own: { cookies, sessions },
  }
}
