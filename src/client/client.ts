import { signOutUrlHeader } from '../contract/cookie.js'
import type { OperationName, Operations } from '../contract/operations.js'
import type { ProjectChanges } from '../contract/schemas.js'
import type { Result } from './result.js'

export type { Project, ProjectChanges, SessionBundle } from '../contract/schemas.js'
export type { Result } from './result.js'

// The types check these against the operations table, whose schemas are not loaded at run time.
const endpoints = {
  createProject: 'POST /v1/projects',
  listProjects: 'GET /v1/projects',
  updateProject: 'PATCH /v1/projects/{projectId}',
  getSession: 'GET /v1/auth/me',
  joinWaitlist: 'POST /v1/waitlist',
} as const satisfies { [Name in OperationName]?: `${Operations[Name]['method']} ${Operations[Name]['path']}` }

export type ClientOptions = {
  /** The address of the service, e.g. `http://127.0.0.1:4010`. Defaults to the page's own origin. */
  baseUrl?: string
  /** Replaces the global fetch. */
  fetch?: typeof fetch
  /** Defaults to `include`, which sends the session cookie to other origins too. */
  credentials?: RequestCredentials
}

/** The response was not JSON, so it came from a proxy or another server. */
export class UnexpectedReplyError extends Error {
  override name = 'UnexpectedReplyError'
  readonly status: number

  constructor(endpoint: string, status: number) {
    super(`${endpoint} answered ${status} without JSON. Does baseUrl point to the dashboard API?`)
    this.status = status
  }
}

/**
 * Creates a typed client of the interface. Each call returns a `Result`, a union discriminated by `status`.
 * Calls throw only without a response of the service: fetch's own errors, and UnexpectedReplyError.
 */
export function createClient({ baseUrl = '', credentials = 'include', ...options }: ClientOptions = {}) {
  const base = baseUrl.replace(/\/$/, '')

  async function send<Name extends keyof typeof endpoints>(
    name: Name,
    body?: unknown,
    id = '',
  ): Promise<Result<Name>> {
    const [method, path = ''] = endpoints[name].split(' ')
    const response = await (options.fetch ?? fetch)(
      base + path.replace('{projectId}', encodeURIComponent(id)),
      {
        method,
        credentials,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      },
    )
    const { ok, status } = response
    if (!/^application\/json/.test(response.headers.get('content-type') ?? '')) {
      throw new UnexpectedReplyError(endpoints[name], status)
    }
    return { ok, status, body: await response.json() } as Result<Name>
  }

  return {
    session: {
      /** The caller's session bundle (section 4.4). */
      get: () => send('getSession'),
      /** The URL to navigate to for signing in. Signing in redirects to `returnTo`. */
      signInUrl: (returnTo = '/') => `${base}/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`,
      /**
       * Ends the session. `continueAt` is the URL to navigate to for signing out at the identity provider too, which
       * redirects to `returnTo`. The mock has no identity provider.
       */
      async signOut(returnTo = '/'): Promise<{ continueAt?: string }> {
        const url = `${base}/auth/sign-out?returnTo=${encodeURIComponent(returnTo)}`
        const { headers } = await (options.fetch ?? fetch)(url, { method: 'POST', credentials })
        const continueAt = headers.get(signOutUrlHeader)
        return continueAt === null ? {} : { continueAt }
      },
    },
    projects: {
      /** Every project of the caller's team, newest first (section 4.2). */
      list: () => send('listProjects'),
      /** Creates a project in the caller's team (section 4.1). */
      create: (project: { name: string; description?: string }) => send('createProject', project),
      /** Sets any of the three fields of a project of the caller's team (section 4.3). */
      update: (projectId: string, changes: ProjectChanges) => send('updateProject', changes, projectId),
    },
    waitlist: {
      /** Puts an address on the early-access waitlist (section 4.5). */
      join: (email: string) => send('joinWaitlist', { email }),
    },
  }
}

export type Client = ReturnType<typeof createClient>
