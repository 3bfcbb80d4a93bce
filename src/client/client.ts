import { signOutUrlHeader } from '../contract/cookie.js'
import type { ErrorCode, errors } from '../contract/errors.js'
import type { InputOf, OperationName, Operations, SuccessOf } from '../contract/operations.js'
import { ApiError, UnexpectedReplyError } from './api-error.js'
import type { CancelSignal, Fetch, FetchInit, FetchResponse } from './fetch-types.js'
import type { Result } from './result.js'

export type { ErrorCode } from '../contract/errors.js'
export type { Project, ProjectChanges, SessionBundle } from '../contract/schemas.js'
export { ApiError, UnexpectedReplyError } from './api-error.js'
export type { Fetch } from './fetch-types.js'
export type { Result, ValidationDetails } from './result.js'

// The types check these against the operations table, whose schemas are not loaded at run time.
const endpoints = {
  createProject: 'POST /v1/projects',
  listProjects: 'GET /v1/projects',
  updateProject: 'PATCH /v1/projects/{projectId}',
  getSession: 'GET /v1/auth/me',
  joinWaitlist: 'POST /v1/waitlist',
} as const satisfies { [Name in OperationName]?: `${Operations[Name]['method']} ${Operations[Name]['path']}` }

type Endpoints = typeof endpoints

// The code of an error body without one (section 7). Other statuses are faults of the request body.
const codes: Record<number, ErrorCode> = {
  401: 'AUTH_REQUIRED',
  403: 'CROSS_SITE_REFUSED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} satisfies { [Code in ErrorCode as (typeof errors)[Code]['status']]?: Code }

export type ClientOptions<Throwing extends boolean = boolean> = {
  /** The address of the service, e.g. `http://127.0.0.1:4010`. Defaults to the page's own origin. */
  baseUrl?: string
  /** Replaces the global fetch. */
  fetch?: Fetch
  /** Defaults to `include`, which sends the session cookie to other origins too. */
  credentials?: FetchInit['credentials']
  /** Resolve with the body of a successful response, and throw ApiError for any other. Defaults to false. */
  throwing?: Throwing
}

/** The options of one call. */
export type CallOptions = {
  /** Cancels the call, which then rejects as fetch does. */
  signal?: CancelSignal
  /** Sent with this call, e.g. `{ prefer: 'code=503' }` for the mock. */
  headers?: Record<string, string>
}

/** What a call resolves with. */
type Reply<Name extends OperationName, Throwing extends boolean> = Throwing extends true
  ? SuccessOf<Name>
  : Result<Name>

/**
 * Creates a typed client of the interface. Each call returns a `Result`, a union discriminated by `status`, and throws
 * only without a response of the service: fetch's own errors, and UnexpectedReplyError. With `throwing`, each call
 * returns the body of the successful response, and throws ApiError for an error response.
 */
export function createClient<const Throwing extends boolean = false>(options: ClientOptions<Throwing> = {}) {
  const { baseUrl = '', credentials = 'include', throwing } = options
  const base = baseUrl.replace(/\/$/, '')
  const request = (path: string, init: Omit<FetchInit, 'credentials'>): Promise<FetchResponse> =>
    (options.fetch ?? fetch)(base + path, { credentials, ...init })

  async function send<Name extends keyof Endpoints>(
    name: Name,
    { signal, headers }: CallOptions = {},
    body?: InputOf<Name>,
    id = '',
  ): Promise<Reply<Name, Throwing>> {
    const endpoint = endpoints[name]
    const [method, path = ''] = endpoint.split(' ') as [string, string]
    const response = await request(path.replace('{projectId}', encodeURIComponent(id)), {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const result = await read(endpoint, response)
    if (!throwing) return result as Reply<Name, Throwing>
    if (!result.ok) throw new ApiError(endpoint, result)
    return result.body as Reply<Name, Throwing>
  }

  return {
    session: {
      /** The caller's session bundle (section 4.4). */
      get: (call?: CallOptions) => send('getSession', call),
      /** The URL to navigate to for signing in. Signing in redirects to `returnTo`. */
      signInUrl: (returnTo = '/'): string => `${base}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`,
      /**
       * Ends the session. `continueAt` is the URL to navigate to for signing out at the identity provider too, which
       * redirects to `returnTo`. The mock has no identity provider.
       * @throws ApiError if the service refuses, which leaves the session as it is
       */
      async signOut(
        returnTo = '/',
        { signal, headers = {} }: CallOptions = {},
      ): Promise<{ continueAt?: string }> {
        const path = `/auth/sign-out?returnTo=${encodeURIComponent(returnTo)}`
        const response = await request(path, { method: 'POST', headers, ...(signal && { signal }) })
        if (response.status >= 400) {
          const endpoint = 'POST /auth/sign-out'
          const failed = await read(endpoint, response)
          if (!failed.ok) throw new ApiError(endpoint, failed)
        }
        const continueAt = response.headers.get(signOutUrlHeader)
        return continueAt === null ? {} : { continueAt }
      },
    },
    projects: {
      /** Every project of the caller's team, newest first (section 4.2). */
      list: (call?: CallOptions) => send('listProjects', call),
      /** Creates a project in the caller's team (section 4.1). */
      create: (project: InputOf<'createProject'>, call?: CallOptions) => send('createProject', call, project),
      /** Sets any of the three fields of a project of the caller's team (section 4.3). */
      update: (projectId: string, changes: InputOf<'updateProject'>, call?: CallOptions) =>
        send('updateProject', call, changes, projectId),
    },
    waitlist: {
      /** Puts an address on the early-access waitlist (section 4.5). */
      join: (email: string, call?: CallOptions) => send('joinWaitlist', call, { email }),
    },
  }
}

export type Client = ReturnType<typeof createClient<false>>
/** A client whose calls resolve with bodies and throw ApiError. */
export type ThrowingClient = ReturnType<typeof createClient<true>>

type FailedRead = {
  ok: false
  status: number
  code: ErrorCode
  body: { error: string; code?: ErrorCode }
  retryAfter?: number
}
type Read = { ok: true; status: number; body: unknown } | FailedRead

/** @throws UnexpectedReplyError for a response that the service does not send */
async function read(endpoint: string, response: FetchResponse): Promise<Read> {
  const { ok, status, headers } = response
  const retryAfter = secondsOf(headers.get('retry-after'))
  const isJson = /^application\/json/.test(headers.get('content-type') ?? '')
  if (!isJson) throw new UnexpectedReplyError(endpoint, status, 'without JSON', retryAfter)
  const body = await response.json()
  if (ok) return { ok, status, body }
  if (!isErrorBody(body)) {
    throw new UnexpectedReplyError(endpoint, status, 'without an error of the interface', retryAfter)
  }
  const code = body.code ?? codes[status] ?? (status < 500 ? 'VALIDATION_FAILED' : 'INTERNAL_ERROR')
  return { ok, status, code, body, ...(retryAfter !== undefined && { retryAfter }) }
}

const isErrorBody = (body: unknown): body is FailedRead['body'] =>
  typeof (body as FailedRead['body'] | null)?.error === 'string'

/** The seconds of a Retry-After header, which has a number of them or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
