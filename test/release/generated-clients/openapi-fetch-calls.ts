import createClient from 'openapi-fetch'
import type { Calls, Equal } from './calls.js'
import type { components, paths } from './generated.js'

// Compiled beside the types that openapi-typescript generates.

type Project = components['schemas']['Project']

export const calls: Calls = async (baseUrl, cookieOf) => {
  const as = (persona: Parameters<typeof cookieOf>[0]) =>
    createClient<paths>({ baseUrl, headers: { cookie: cookieOf(persona) } })
  const owner = as('acme-owner')
  const nobody = createClient<paths>({ baseUrl })

  const created = await owner.POST('/v1/projects', { body: { name: 'Generated' } })
  const project: Project | undefined = created.data?.project
  // @ts-expect-error The name is a string.
  const mistyped = await owner.POST('/v1/projects', { body: { name: 5 } })
  // @ts-expect-error A project has no such field.
  void created.data?.project.owner

  const taken = await owner.POST('/v1/projects', { body: { name: 'GENERATED' } })
  const codes: Equal<
    NonNullable<typeof taken.error>['code'],
    | 'ONBOARDING_REQUIRED'
    | 'AUTH_REQUIRED'
    | 'TEAM_MEMBERSHIP_REQUIRED'
    | 'INSUFFICIENT_PERMISSIONS'
    | 'CROSS_SITE_REFUSED'
    | 'PROJECT_NAME_TAKEN'
    | 'VALIDATION_FAILED'
    | 'RATE_LIMITED'
    | 'INTERNAL_ERROR'
    | 'SERVICE_UNAVAILABLE'
  > = true
  const invalid = await owner.POST('/v1/projects', { body: { name: '' } })
  const fieldErrors: string[] | undefined =
    invalid.error && 'details' in invalid.error ? invalid.error.details?.fieldErrors.name : undefined

  const path = { projectId: project?.id ?? '' }
  const updated = await owner.PATCH('/v1/projects/{projectId}', {
    params: { path },
    body: { status: 'paused' },
  })
  const unknown = await owner.PATCH('/v1/projects/{projectId}', {
    params: { path: { projectId: 'unknown' } },
    body: {},
  })
  const listed = await owner.GET('/v1/projects')
  const projects: Project[] | undefined = listed.data?.projects
  const session = await owner.GET('/v1/auth/me')
  const anonymous = await nobody.GET('/v1/auth/me')
  const shortBody: Equal<typeof anonymous.error, { error: string } | undefined> = true
  const joined = await nobody.POST('/v1/waitlist', { body: { email: ' Ada@Example.com ' } })
  const status: 'ok' | undefined = joined.data?.status
  const blank = await nobody.POST('/v1/waitlist', { body: { email: '' } })

  const result = ({ data, error, response }: { data?: unknown; error?: unknown; response: Response }) => ({
    status: response.status,
    body: data ?? error,
  })
  return {
    created: result(created),
    mistyped: result(mistyped),
    taken: result(taken),
    invalid: result(invalid),
    notOnboarded: result(await as('no-organization').POST('/v1/projects', { body: { name: 'x' } })),
    updated: result(updated),
    unknown: result(unknown),
    listed: result(listed),
    session: result(session),
    anonymous: result(anonymous),
    joined: result(joined),
    blank: result(blank),
    typed: { project, fieldErrors, first: projects?.[0]?.id, status, codes, shortBody },
  }
}
