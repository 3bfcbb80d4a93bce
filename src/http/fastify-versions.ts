import fastify, { type FastifyServerOptions } from 'fastify'

// The package runs with the Fastify 5 of the application beside it, so that both have the same types. Options that a later
// version renamed are set by the name that the installed one knows.

const { LogController } = fastify as Partial<Pick<typeof fastify, 'LogController'>>

/** The options that replace Fastify's own log of requests, which has no path without its query. */
export const ownRequestLog = (): FastifyServerOptions =>
  LogController
    ? { logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }) }
    : { disableRequestLogging: true, requestIdLogLabel: 'requestId' }

/** A long project id is the id of no project, not an unknown path. */
export function longParameters(): FastifyServerOptions {
  const maxParamLength = Number.MAX_SAFE_INTEGER
  const routerOptions = { maxParamLength }
  const isKnown = LogController || 'routerOptions' in fastify({ routerOptions }).initialConfig
  return isKnown ? { routerOptions } : { maxParamLength }
}
