import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors } from './errors.js'
import type { BodyFaults, BodyOf, Operation, OperationName, SuccessOf } from './operations.js'
import type { ErrorBody, Project } from './schemas.js'

// An example for every body. The types hold those of requests and successes to their schemas.

const project: Project = {
  id: '0198c0de-5a1e-7c3b-9d24-6f0e8b7a1c52',
  name: 'Mobile app',
  description: 'The app for iOS and Android',
  status: 'active',
  teamId: 'team-acme',
  createdAt: '2026-01-31T12:00:00.000Z',
}

export const pathExamples: Record<string, string> = { projectId: project.id }

export const requestExamples = {
  createProject: { name: project.name, description: 'The app for iOS and Android' },
  updateProject: { status: 'completed' },
  joinWaitlist: { email: 'ada@example.com' },
} satisfies { [Name in OperationName]?: BodyOf<Name> }

export const successExamples: { [Name in OperationName]: SuccessOf<Name> } = {
  createProject: { project },
  listProjects: { projects: [project] },
  updateProject: { project: { ...project, status: 'completed' } },
  getSession: {
    user: {
      id: 'user-ada',
      email: 'ada@acme.example',
      givenName: 'Ada',
      familyName: 'Osei',
      picture: 'https://avatars.example/ada.png',
    },
    organization: { orgCode: 'org_acme' },
    permissions: ['create:projects', 'update:projects'],
    teamId: 'team-acme',
    projects: [{ id: project.id, name: project.name }],
  },
  joinWaitlist: { status: 'ok' },
}

/** The error body of a code, section 2.4. */
export const errorExample = (code: ErrorCode): z.infer<typeof ErrorBody> => ({
  error: errors[code].message,
  code,
  docsUrl: `https://api.example${errorDocsPath(code)}`,
})

/** What an operation answers to a fault in its body, in the operation's own error form. */
export function faultExample(operation: Operation, fault: keyof BodyFaults): unknown {
  if (operation.errorForm === 'short') return { error: operation.shortMessage }
  const body = errorExample('VALIDATION_FAILED')
  return operation.body?.faults[fault] === 422 ? { ...body, details: detailsOf(operation, fault) } : body
}

/** The details of a 422 as zod makes them from a body with this fault. */
function detailsOf({ body }: Operation, fault: keyof BodyFaults) {
  if (fault === 'unreadable') return null
  const { error } = body?.schema.safeParse(fault === 'notAnObject' ? [] : { name: '', owner: 'ada' }) ?? {}
  return error ? z.flattenError(error) : null
}
