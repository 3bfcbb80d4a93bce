import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import type { User } from '../contract/schemas.js'
import type { Store } from '../store/store.js'
import type { HostSession } from './sessions/host-caller.js'

// The public types of the plugin. The package publishes the types of all imports here.

/** The settings of the plugin, with the names, forms and defaults of `serve`. Durations are text such as `30m`. */
export type ServiceSettings = {
  /** The URL of the application for browsers, e.g. `https://api.example.com`. */
  publicUrl?: string
  /** The base URL of the pages about errors. Default: the plugin's own. */
  docsUrl?: string
  /** Other origins whose pages may call the service with cookies. */
  allowedOrigins?: readonly string[]
  /** The rate of waitlist sign-ups per client, e.g. `100/1m`, or `off`. */
  waitlistRate?: string
  maxProjectsPerTeam?: number
}

/** The settings of sessions in signed cookies, and of sign-in with an identity provider. */
export type SessionSettings = {
  /** Signs the session cookies. Several rotate: the first signs, all verify. */
  sessionSecret: string | readonly string[]
  sessionCookie?: 'session' | '__Host-session'
  /** The maximum lifetime of a session, and of an unused session, e.g. `12h`. */
  sessionTtl?: string
  sessionIdle?: string
  oidcIssuer?: string
  oidcClientId?: string
  oidcClientSecret?: string
  /** The private key with which the service authenticates at the provider, in place of a secret. */
  oidcClientKey?: string
  /** By default: with the key if there is one, else with the secret, as the metadata of the provider allow. */
  oidcClientAuth?: 'basic' | 'post' | 'private_key_jwt'
  oidcScopes?: string
  oidcAudience?: string
  oidcAccessClaims?: 'id-token' | 'access-token'
  /** The claims whose names differ from the defaults, e.g. `email=mail,picture=avatar`. */
  oidcClaims?: string
  /** The permissions of users for whom the identity provider sends none. */
  defaultPermissions?: readonly string[]
  /** Create a team when a user of an organisation without one signs in. */
  provisionTeams?: boolean
}

/** The settings of a whole server, with the names, forms and defaults of `serve`. */
export type ServerSettings = ServiceSettings &
  SessionSettings & {
    host?: string
    port?: number
    /** The path of a SQLite file, or a PostgreSQL address. */
    database?: string
    trustProxy?: readonly string[]
    /** A separate port for `/metrics`, e.g. `9090` or `0.0.0.0:9090`. */
    metricsAddress?: string
    metricsToken?: string
    drainDelay?: string
    logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  }

/** The caller of an operation, for hooks of the application. */
export type DashboardSession = {
  id: string
  user: User
  orgCode?: string
  team?: { id: string; name: string; orgCode: string }
  permissions: readonly string[]
}

type Common = ServiceSettings & {
  /** The result of `openStore`. The plugin does not close it. */
  store: Store
  /** The prefix of every path, e.g. `/api`. */
  prefix?: string
  /** Also serve `/docs` and `/openapi.json`. Default: true. */
  documents?: boolean
  /** List the operations in the application's @fastify/swagger, if it has one. Default: true. */
  swagger?: boolean
}

/** Identifies callers by signed cookies with sign-in, or by the application's own authentication. */
export type DashboardApiOptions = Common &
  (
    | {
        /** The sessions of the plugin, in signed cookies. */
        sessions: SessionSettings
        session?: undefined
      }
    | {
        sessions?: undefined
        /**
         * Returns the caller whom the application has signed in; undefined for a request without one, which gets 401. Called in
         * `onRequest`, after the application's own hooks and before the body is read.
         */
        session(request: FastifyRequest): HostSession | undefined | Promise<HostSession | undefined>
      }
  )

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an operation, once its session was read. */
    dashboardSession: DashboardSession | undefined
    /** The project that the request created or changed. */
    dashboardProjectId: string | undefined
  }
  interface FastifyReply {
    /** The error code of a response of the dashboard API. */
    dashboardErrorCode: ErrorCode | undefined
  }
}
