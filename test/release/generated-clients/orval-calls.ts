import type { Calls, Equal } from './calls.js'
import {
  createProject,
  getSession,
  joinWaitlist,
  listProjects,
  type Project,
  updateProject,
} from './generated.js'

// Compiled beside the client that orval generates; its base URL is part of the generated code.

export const calls: Calls = async (_baseUrl, cookieOf) => {
  const as = (persona: Parameters<typeof cookieOf>[0]) => ({ headers: { cookie: cookieOf(persona) } })
  const owner = as('acme-owner')

  const created = await createProject({ name: 'Generated' }, owner)
  const project: Project | undefined = created.status === 201 ? created.data.project : undefined
  // @ts-expect-error The name is a string.
  const mistyped = await createProject({ name: 5 }, owner)
  // @ts-expect-error Without its status a response may be an error.
  void created.data.project

  const taken = await createProject({ name: 'GENERATED' }, owner)
  const takenCode: 'PROJECT_NAME_TAKEN' | undefined = taken.status === 409 ? taken.data.code : undefined
  const invalid = await createProject({ name: '' }, owner)
  const fieldErrors: string[] | undefined =
    invalid.status === 422 ? invalid.data.details?.fieldErrors.name : undefined
  const notOnboarded = await createProject({ name: 'x' }, as('no-organization'))
  const codes: Equal<
    Extract<typeof notOnboarded, { status: 400 }>['data']['code'],
    'ONBOARDING_REQUIRED' | 'VALIDATION_FAILED'
  > = true

  const updated = await updateProject(project?.id ?? '', { status: 'paused' }, owner)
  const unknown = await updateProject('unknown', {}, owner)
  const listed = await listProjects(owner)
  const projects: Project[] | undefined = listed.status === 200 ? listed.data.projects : undefined
  const session = await getSession(owner)
  const anonymous = await getSession()
  const shortBody: string | undefined = anonymous.status === 200 ? undefined : anonymous.data.error
  const joined = await joinWaitlist({ email: ' Ada@Example.com ' })
  const status: 'ok' | undefined = joined.status === 200 ? joined.data.status : undefined
  const blank = await joinWaitlist({ email: '' })

  const result = ({ status, data }: { status: number; data: unknown }) => ({ status, body: data })
  return {
    created: result(created),
    mistyped: result(mistyped),
    taken: result(taken),
    invalid: result(invalid),
    notOnboarded: result(notOnboarded),
    updated: result(updated),
    unknown: result(unknown),
    listed: result(listed),
    session: result(session),
    anonymous: result(anonymous),
    joined: result(joined),
    blank: result(blank),
    typed: { project, takenCode, fieldErrors, first: projects?.[0]?.id, status, codes, shortBody },
  }
}
