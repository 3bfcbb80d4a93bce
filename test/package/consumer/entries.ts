// A module of a project that uses the package. It must compile with every supported module resolution.
import { startMockApi } from 'dashboard-api/browser'
import { ApiError, type Client, createClient, type Result } from 'dashboard-api/client'
import { type ErrorCode, errors, operations } from 'dashboard-api/contract'
import { connectToMock, type RemoteMock } from 'dashboard-api/control'
import { createHandlers, createMock } from 'dashboard-api/msw'
import { createMockServer } from 'dashboard-api/node'
import { mockPanel } from 'dashboard-api/panel'
import { dashboardApi } from 'dashboard-api/vite'
import { setupServer } from 'msw/node'

const mock = createMockServer({ baseUrl: 'http://api.test', fixtures: { $schema: './a.json', version: 1 } })
const remote: RemoteMock = connectToMock('http://localhost:4010', { space: 'one' })
const client: Client = createClient({ fetch, credentials: 'same-origin' })
const code: ErrorCode = 'AUTH_REQUIRED'

export const used = [startMockApi, createHandlers(), dashboardApi(), setupServer, errors[code], operations]

export async function panels(signal: AbortSignal): Promise<void> {
  const removals = [await startMockApi(), createMock(), remote].map((mock) => mockPanel(mock))
  signal.addEventListener('abort', mockPanel(mock, { corner: 'top-left', onChange: () => location.reload() }))
  // @ts-expect-error the panel needs controls
  mockPanel({})
  // @ts-expect-error there are four corners
  mockPanel(remote, { corner: 'middle' })
  for (const remove of removals) remove()
}

export async function scenarios(): Promise<void> {
  for (const { scenarios } of [mock, remote]) {
    await scenarios.set({
      target: 'createProject',
      outcome: 'PROJECT_NAME_TAKEN',
      times: 1,
      session: 'acme-owner',
    })
    await scenarios.set({ target: 'listProjects', outcome: 'SERVICE_UNAVAILABLE', times: null })
    await scenarios.set({ target: 'getSession', outcome: 'hang', times: null })
    await scenarios.set({ target: 'empty' })
    // @ts-expect-error a list cannot have a name that is taken
    await scenarios.set({ target: 'listProjects', outcome: 'PROJECT_NAME_TAKEN', times: null })
    // @ts-expect-error an operation has a path
    await scenarios.set({ target: 'createProject', outcome: 'NOT_FOUND', times: null })
    // @ts-expect-error the waitlist needs no session
    await scenarios.set({ target: 'joinWaitlist', outcome: 'AUTH_REQUIRED', times: null })
    // @ts-expect-error a named scenario has no outcome
    await scenarios.set({ target: 'empty', outcome: 'hang', times: null })
    // @ts-expect-error an operation needs one
    await scenarios.set({ target: 'createProject' })
  }
  const names: string[] = await remote.spaces.create('one')
  names.push(...(await remote.spaces.list()), ...(await remote.spaces.remove('one')))
}

export async function results(signal: AbortSignal): Promise<string[]> {
  const result: Result<'createProject'> = await client.projects.create({ name: 'a' }, { signal })
  if (result.ok) return [result.body.project.name]
  if (result.status === 429) result.retryAfter satisfies number | undefined
  if (result.status === 409) result.code satisfies 'PROJECT_NAME_TAKEN'
  if (result.status !== 422) return [result.body.error]
  // @ts-expect-error the body has no such field
  result.body.details?.fieldErrors.status
  return result.body.details?.fieldErrors.name ?? []
}

export async function short(): Promise<string> {
  const session = await client.session.get()
  if (session.status === 401) session.code satisfies 'AUTH_REQUIRED'
  // @ts-expect-error its body has no code
  if (!session.ok) return session.body.code
  const joined = await client.waitlist.join('a@b.example')
  if (joined.status === 400 || joined.status === 422) joined.code satisfies 'VALIDATION_FAILED'
  if (joined.status === 503) joined.code satisfies 'SERVICE_UNAVAILABLE'
  return joined.ok ? joined.body.status : joined.body.error
}

export async function throwing(): Promise<string[]> {
  const client = createClient({ throwing: true })
  try {
    const { projects } = await client.projects.list({ headers: { prefer: 'code=503' } })
    return projects.map((project) => project.name)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, code, docsUrl, details, retryAfter } = error
    status satisfies number
    code satisfies ErrorCode
    retryAfter satisfies number | undefined
    return [docsUrl ?? '', ...(details?.fieldErrors.name ?? [])]
  }
}
