import type * as z from 'zod'
import { type OperationalErrorCode, operationalErrors } from './errors.js'
import { type Operation, requestBody, response } from './operation.js'
import {
  CreateProjectBody,
  JoinWaitlistBody,
  type Project,
  ProjectListReply,
  ProjectReply,
  SessionBundle,
  UpdateProjectBody,
  WaitlistReply,
} from './schemas.js'

export type { BodyFaults, Operation } from './operation.js'

const bodyFaults = { mediaType: 415, tooLarge: 413, unreadable: 422, notAnObject: 422, invalid: 422 } as const

const project: Project = {
  id: '0198c0de-0000-7000-8000-000000000002',
  name: 'Customer portal',
  description: 'Where customers see their orders',
  status: 'active',
  teamId: 'team-acme',
  createdAt: '2026-01-31T12:00:00.000Z',
}

const projectId = { description: 'The id of a project of the team.', example: project.id }

/** The only list of endpoints (section 4), with the texts and examples of the documents. */
export const operations = {
  createProject: {
    section: '4.1',
    tag: 'Projects',
    summary: 'Create a project',
    description:
      "Creates a project in the caller's team. The name must be free in the team, compared without regard to case. Two concurrent creations may both succeed.",
    method: 'POST',
    path: '/v1/projects',
    access: 'team',
    permission: 'create:projects',
    teamLimits: ['projects', 'bytes'],
    body: requestBody(
      CreateProjectBody,
      { name: project.name, description: 'Where customers see their orders' },
      bodyFaults,
    ),
    success: response(201, ProjectReply, { project }),
    errors: [
      'AUTH_REQUIRED',
      'ONBOARDING_REQUIRED',
      'TEAM_MEMBERSHIP_REQUIRED',
      'INSUFFICIENT_PERMISSIONS',
      'VALIDATION_FAILED',
      'PROJECT_NAME_TAKEN',
    ],
    errorForm: 'full',
  },
  listProjects: {
    section: '4.2',
    tag: 'Projects',
    summary: 'List the projects of the team',
    description: "Every project of the caller's team, newest first. Without a team the list is empty.",
    method: 'GET',
    path: '/v1/projects',
    access: 'session',
    cache: 'team',
    success: response(200, ProjectListReply, { projects: [project] }),
    errors: ['AUTH_REQUIRED'],
    errorForm: 'full',
  },
  updateProject: {
    section: '4.3',
    tag: 'Projects',
    summary: 'Update a project',
    description:
      'Sets any combination of the three fields and leaves the others unchanged. A project of another team gets the same response as an unknown one.',
    method: 'PATCH',
    path: '/v1/projects/{projectId}',
    params: { projectId },
    access: 'team',
    permission: 'update:projects',
    teamLimits: ['bytes'],
    body: requestBody(UpdateProjectBody, { status: 'completed' }, bodyFaults),
    success: response(200, ProjectReply, { project: { ...project, status: 'completed' } }),
    errors: [
      'AUTH_REQUIRED',
      'ONBOARDING_REQUIRED',
      'TEAM_MEMBERSHIP_REQUIRED',
      'INSUFFICIENT_PERMISSIONS',
      'EMPTY_QUERY_FILTER',
      'VALIDATION_FAILED',
      'PROJECT_NOT_FOUND',
      'PROJECT_NAME_TAKEN',
    ],
    errorForm: 'full',
  },
  getSession: {
    section: '4.4',
    tag: 'Session',
    summary: 'Read the session bundle',
    description: 'The user, the organisation, the permissions, and the team with its projects.',
    method: 'GET',
    path: '/v1/auth/me',
    access: 'session',
    cache: 'session',
    success: response(200, SessionBundle, {
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
    }),
    errors: ['AUTH_REQUIRED'],
    errorForm: 'short',
  },
  joinWaitlist: {
    section: '4.5',
    tag: 'Waitlist',
    summary: 'Join the waitlist',
    description:
      'Adds an address to the waitlist, trimmed and lower-cased. A repeated address gets the same response.',
    method: 'POST',
    path: '/v1/waitlist',
    access: 'public',
    body: requestBody(
      JoinWaitlistBody,
      { email: 'ada@example.com' },
      { ...bodyFaults, mediaType: 400, unreadable: 400, notAnObject: 400 },
    ),
    success: response(200, WaitlistReply, { status: 'ok' }),
    errors: ['VALIDATION_FAILED'],
    errorForm: 'short',
    // Section 4.5 documents two errors with this text. Other errors describe themselves.
    errorTexts: { 400: 'email_required', 422: 'email_required' },
  },
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations

export const operationNames = Object.keys(operations) as OperationName[]

export const requiredPermissions = [
  ...new Set(Object.values<Operation>(operations).flatMap(({ permission }) => permission ?? [])),
]

/** The operational errors of an operation. Its path and method are known, and only changes are refused across sites. */
export const operationalCodesOf = ({ method }: Operation): OperationalErrorCode[] =>
  (Object.keys(operationalErrors) as OperationalErrorCode[]).filter(
    (code) =>
      code !== 'NOT_FOUND' &&
      code !== 'METHOD_NOT_ALLOWED' &&
      (code !== 'CROSS_SITE_REFUSED' || method !== 'GET'),
  )

export type OperationalCodeOf<Name extends OperationName> = Exclude<
  OperationalErrorCode,
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | (Operations[Name]['method'] extends 'GET' ? 'CROSS_SITE_REFUSED' : never)
>

export type CodeOf<Name extends OperationName> = Operations[Name]['errors'][number]

/** The body of a successful response; `undefined` without a body. */
export type SuccessOf<Name extends OperationName> = Operations[Name] extends {
  success: { schema: infer Schema }
}
  ? z.infer<Schema>
  : undefined

/** The parsed request body; `undefined` without a body. */
export type BodyOf<Name extends OperationName> = Operations[Name] extends { body: { schema: infer Schema } }
  ? z.output<Schema>
  : undefined

/** The request body as a client writes it; `undefined` without a body. */
export type InputOf<Name extends OperationName> = Operations[Name] extends { body: { schema: infer Schema } }
  ? z.input<Schema>
  : undefined

/** The query parameters as a client writes them; `undefined` without parameters. */
export type QueryInputOf<Name extends OperationName> = Operations[Name] extends {
  query: { schema: infer Schema }
}
  ? z.input<Schema>
  : undefined

/** The parsed query parameters; `undefined` without parameters. */
export type QueryOf<Name extends OperationName> = Operations[Name] extends { query: { schema: infer Schema } }
  ? z.output<Schema>
  : undefined

/** The decoded path parameters. */
export type ParamsOf<Name extends OperationName> = Operations[Name] extends { params: infer Params }
  ? Record<keyof Params, string>
  : Record<never, string>
