import { signOutUrlHeader } from '../contract/cookie.js'
import type {
  InputOf,
  OperationName,
  Operations,
  ParamsOf,
  QueryInputOf,
  SuccessOf,
} from '../contract/operations.js'
import { ApiError } from './api-error.js'
import { noBody, projectList, projectReply, sessionBundle, waitlistReply } from './checks.js'
import type { CancelSignal, Fetch, FetchInit, FetchResponse } from './fetch-types.js'
import { type Endpoint, readReply } from './read-reply.js'
import type { Result } from './result.js'

export type { ErrorCode } from '../contract/errors.js'
export type { Project, ProjectChanges, SessionBundle } from '../contract/schemas.js'
export { ApiError, UnexpectedReplyError } from './api-error.js'
export type { Fetch } from './fetch-types.js'
export type { Result, ValidationDetails } from './result.js'

// The types check these against the operations table, whose schemas are not loaded at run time.
const endpoints = {
  createProject: { at: 'POST /v1/projects', status: 201, isBody: projectReply, errorForm: 'full' },
  listProjects: { at: 'GET /v1/projects', status: 200, isBody: projectList, errorForm: 'full' },
  updateProject: {
    at: 'PATCH /v1/projects/{projectId}',
    status: 200,
    isBody: projectReply,
    errorForm: 'full',
  },
  getSession: { at: 'GET /v1/auth/me', status: 200, isBody: sessionBundle, errorForm: 'short' },
  joinWaitlist: { at: 'POST /v1/waitlist', status: 200, isBody: waitlistReply, errorForm: 'short' },
} as const satisfies { [Name in OperationName]?: EndpointOf<Name> }

type EndpointOf<Name extends OperationName> = {
  at: `${Operations[Name]['method']} ${Operations[Name]['path']}`
  status: Operations[Name]['success']['status']
  isBody(value: unknown): value is SuccessOf<Name>
  errorForm: Operations[Name]['errorForm']
}

type Endpoints = typeof endpoints

const signOutEndpoint: Endpoint = {
  at: 'POST /auth/sign-out',
  status: 204,
  isBody: noBody,
  errorForm: 'full',
}

export type ClientOptions<Throwing extends boolean = boolean> = {
  /** The URL of the service, e.g. `http://localhost:4010`. Default: the page's own origin. */
  baseUrl?: string
  /** Replaces the global fetch. */
  fetch?: Fetch
  /** Default: `include`, which sends the session cookie to other origins too. */
  credentials?: FetchInit['credentials']
  /** Resolve with the body of a successful response, and throw ApiError for any other. Default: false. */
  throwing?: Throwing
}

export type CallOptions = {
  /** Cancels the call, which then rejects as fetch does. */
  signal?: CancelSignal
  /** Sent with this call, e.g. `{ prefer: 'code=503' }` for the mock. */
  headers?: Record<string, string>
}

type InputsOf<Name extends OperationName> = {
  params?: ParamsOf<Name>
  query?: QueryInputOf<Name>
  body?: InputOf<Name>
}

/** The result of a call. */
type Reply<Name extends OperationName, Throwing extends boolean> = Throwing extends true
  ? SuccessOf<Name>
  : Result<Name>

/**
 * Creates a typed client of the interface. A call returns a `Result`, a union discriminated by `status`. It throws only
 * without a response of the service: fetch's own errors, and UnexpectedReplyError. With `throwing`, a call returns the body
 * of the successful response, and throws ApiError for an error response.
 */
export function createClient<const Throwing extends boolean = false>(options: ClientOptions<Throwing> = {}) {
  const { baseUrl = '', credentials = 'include', throwing } = options
  const base = baseUrl.replace(/\/$/, '')
  const request = (path: string, init: Omit<FetchInit, 'credentials'>): Promise<FetchResponse> =>
    (options.fetch ?? fetch)(base + path, { credentials, ...init })

  async function send<Name extends keyof Endpoints>(
    name: Name,
    { signal, headers }: CallOptions = {},
    { params, query, body }: InputsOf<Name> = {},
  ): Promise<Reply<Name, Throwing>> {
    const endpoint = endpoints[name]
    const [method, path = ''] = endpoint.at.split(' ') as [string, string]
    const response = await request(withParams(path, params) + searchOf(query), {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const result = await readReply(endpoint, response, signal)
    if (!throwing) return result as Reply<Name, Throwing>
    if (!result.ok) throw new ApiError(endpoint.at, result)
    return result.body as Reply<Name, Throwing>
  }

  return {
    session: {
      /** The caller's session bundle (section 4.4). */
      get: (call?: CallOptions) => send('getSession', call),
      /** The URL to navigate to for signing in, which then redirects to `returnTo`. */
      signInUrl: (returnTo = '/'): string => `${base}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`,
      /**
       * Ends the session. `continueAt` is the URL to navigate to for signing out at the identity provider, which then
       * redirects to `returnTo`. The mock has no identity provider.
       * @throws ApiError if the service refuses; the session continues
       */
      async signOut(
        returnTo = '/',
        { signal, headers = {} }: CallOptions = {},
      ): Promise<{ continueAt?: string }> {
        const path = `/auth/sign-out?returnTo=${encodeURIComponent(returnTo)}`
        const response = await request(path, { method: 'POST', headers, ...(signal && { signal }) })
        const result = await readReply(signOutEndpoint, response, signal)
        if (!result.ok) throw new ApiError(signOutEndpoint.at, result)
        const continueAt = response.headers.get(signOutUrlHeader)
        return continueAt === null ? {} : { continueAt }
      },
    },
    projects: {
      /** Every project of the caller's team, newest first (section 4.2). */
      list: (call?: CallOptions) => send('listProjects', call),
      /** Creates a project in the caller's team (section 4.1). */
      create: (project: InputOf<'createProject'>, call?: CallOptions) =>
        send('createProject', call, { body: project }),
      /** Sets any of the three fields of a project of the caller's team (section 4.3). */
      update: (projectId: string, changes: InputOf<'updateProject'>, call?: CallOptions) =>
        send('updateProject', call, { params: { projectId }, body: changes }),
    },
    waitlist: {
      /** Adds an address to the early-access waitlist (section 4.5). */
      join: (email: string, call?: CallOptions) => send('joinWaitlist', call, { body: { email } }),
    },
  }
}

export type Client = ReturnType<typeof createClient<false>>
/** A client whose calls resolve with bodies and throw ApiError. */
export type ThrowingClient = ReturnType<typeof createClient<true>>

/** @throws TypeError for a dot segment: even percent-encoded, it would lead to another path */
const withParams = (path: string, params: Record<string, string> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = params[name] ?? ''
    if (value === '.' || value === '..') throw new TypeError(`"${value}" cannot be an id in a URL.`)
    return encodeURIComponent(value)
  })

/** Makes a query string. Parameters without a value are left out, those with several are repeated. */
function searchOf(query: unknown): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}
