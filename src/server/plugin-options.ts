import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../contract/errors.js'
import type { User } from '../contract/schemas.js'
import type { Store } from '../store/store.js'

// The public types of the plugin alone: whatever this file imports is in the types of the package.

/** The settings of the plugin. Names, forms and defaults are those of `serve`; lengths of time are text such as `30m`. */
export type ServiceSettings = {
  /** Where browsers reach the application, e.g. `https://api.example.com`. */
  publicUrl?: string
  /** The base URL of the pages about errors, if not the plugin's own. */
  docsUrl?: string
  /** Other origins whose pages may call the service with cookies. */
  allowedOrigins?: readonly string[]
  /** How often one client may join the waitlist, e.g. `100/1m`, or `off`. */
  waitlistRate?: string
  maxProjectsPerTeam?: number
}

/** The settings of sessions in signed cookies, and of sign-in with an identity provider. */
export type SessionSettings = {
  /** Signs the session cookies. Several rotate: the first signs, all verify. */
  sessionSecret: string | readonly string[]
  sessionCookie?: 'session' | '__Host-session'
  /** How long a session lasts at most, and without being used, e.g. `12h`. */
  sessionTtl?: string
  sessionIdle?: string
  oidcIssuer?: string
  oidcClientId?: string
  oidcClientSecret?: string
  /** The private key with which the service signs for the provider instead of sending a secret. */
  oidcClientKey?: string
  oidcScopes?: string
  oidcAudience?: string
  oidcAccessClaims?: 'id-token' | 'access-token'
  /** The claims whose names differ from the defaults, e.g. `email=mail,picture=avatar`. */
  oidcClaims?: string
  /** The permissions of people for whom the identity provider sends none. */
  defaultPermissions?: readonly string[]
  /** Whether a team is created when a user of an organisation without one signs in. */
  provisionTeams?: boolean
}

/** A caller whom the application that the service is part of has signed in. */
export type HostSession = {
  user: User
  /** Left out: a caller without organisation. */
  orgCode?: string
  permissions: readonly string[]
  /** Identifies the session in the audit log, and for the limit of its pending requests; the id of the user, if left out. */
  id?: string
}

/** The caller of an operation, as hooks of the application may read it. */
export type DashboardSession = {
  id: string
  user: User
  orgCode?: string
  team?: { id: string; name: string; orgCode: string }
  permissions: readonly string[]
}

type Common = ServiceSettings & {
  /** What `openStore` opened. The plugin does not close it. */
  store: Store
  /** Put in front of every path, e.g. `/api`. */
  prefix?: string
  /** Whether it has the pages `/docs` and `/openapi.json` too; true, if left out. */
  documents?: boolean
}

/** Where callers come from: signed cookies of the plugin with sign-in, or the application's own authentication. */
export type DashboardApiOptions = Common &
  (
    | {
        /** The sessions of the plugin, in signed cookies. */
        sessions: SessionSettings
        session?: undefined
      }
    | {
        sessions?: undefined
        /** The caller whom the application has signed in; undefined for a request without one, which is 401. */
        session(request: FastifyRequest): HostSession | undefined | Promise<HostSession | undefined>
      }
  )

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of an operation of the dashboard API, once the session was looked up. */
    dashboardSession: DashboardSession | undefined
    /** The project that the request created or changed. */
    dashboardProjectId: string | undefined
  }
  interface FastifyReply {
    /** The error code of a response of the dashboard API. */
    dashboardErrorCode: ErrorCode | undefined
  }
}
