import type * as z from 'zod'
import type { InterfaceErrorCode } from './errors.js'
import {
  CreateProjectBody,
  JoinWaitlistBody,
  ProjectListReply,
  ProjectReply,
  SessionBundle,
  UpdateProjectBody,
  WaitlistReply,
} from './schemas.js'

/** What may be wrong with a body before and after it is parsed, and the status that answers it. */
export type BodyFaults = {
  /** The content type is not application/json. */
  mediaType: number
  /** More bytes than `maxBodyBytes`. */
  tooLarge: number
  /** Empty, not UTF-8, or not JSON. */
  unreadable: number
  /** JSON, and not an object. */
  notAnObject: number
  /** An object that breaks the schema. */
  invalid: number
}

/** One entry of the table: all that adapters, documents and suites need to know about an operation. */
export type Operation = {
  /** The section of the interface that it implements. */
  section: string
  summary: string
  method: 'GET' | 'POST' | 'PATCH'
  path: `/v1/${string}`
  /** `public`: no session; `session`: any session; `team`: a session whose organisation has a team. */
  access: 'public' | 'session' | 'team'
  permission?: string
  body?: { schema: z.ZodType; faults: BodyFaults }
  success: { status: number; schema: z.ZodType }
  /** The codes that it may answer; a handler that returns another does not compile. */
  errors: readonly InterfaceErrorCode[]
  /** Section 7: `short` is `{ error }` alone, with `shortMessage` where the interface fixes its text. */
  errorForm: 'full' | 'short'
  shortMessage?: string
}

/** No request of the interface needs more; section 8 lists no limit, a server has to have one. */
export const maxBodyBytes = 64 * 1024

const bodyFaults = { mediaType: 415, tooLarge: 413, unreadable: 422, notAnObject: 422, invalid: 422 } as const

/** The one list of endpoints, section 4. */
export const operations = {
  createProject: {
    section: '4.1',
    summary: 'Create a project',
    method: 'POST',
    path: '/v1/projects',
    access: 'team',
    permission: 'create:projects',
    body: { schema: CreateProjectBody, faults: bodyFaults },
    success: { status: 201, schema: ProjectReply },
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
    summary: 'List the projects of the team',
    method: 'GET',
    path: '/v1/projects',
    access: 'session',
    success: { status: 200, schema: ProjectListReply },
    errors: ['AUTH_REQUIRED'],
    errorForm: 'full',
  },
  updateProject: {
    section: '4.3',
    summary: 'Update a project',
    method: 'PATCH',
    path: '/v1/projects/{projectId}',
    access: 'team',
    permission: 'update:projects',
    body: { schema: UpdateProjectBody, faults: bodyFaults },
    success: { status: 200, schema: ProjectReply },
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
    summary: 'Read the session bundle',
    method: 'GET',
    path: '/v1/auth/me',
    access: 'session',
    success: { status: 200, schema: SessionBundle },
    errors: ['AUTH_REQUIRED'],
    errorForm: 'short',
  },
  joinWaitlist: {
    section: '4.5',
    summary: 'Join the waitlist',
    method: 'POST',
    path: '/v1/waitlist',
    access: 'public',
    body: {
      schema: JoinWaitlistBody,
      faults: { ...bodyFaults, mediaType: 400, unreadable: 400, notAnObject: 400 },
    },
    success: { status: 200, schema: WaitlistReply },
    errors: ['VALIDATION_FAILED'],
    errorForm: 'short',
    shortMessage: 'email_required',
  },
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations

export const operationNames = Object.keys(operations) as OperationName[]

/** Every method of the table; HEAD goes where GET goes. Adapters derive what they allow from it. */
export const operationMethods: readonly string[] = [
  ...new Set(
    operationNames.flatMap((name) => {
      const { method } = operations[name]
      return method === 'GET' ? ['GET', 'HEAD'] : [method]
    }),
  ),
]

/** The error codes that an operation declares. */
export type CodeOf<Name extends OperationName> = Operations[Name]['errors'][number]

/** The body of an operation's success. */
export type SuccessOf<Name extends OperationName> = z.infer<Operations[Name]['success']['schema']>

/** The parsed request body of an operation; `undefined` where it takes none. */
export type BodyOf<Name extends OperationName> = Operations[Name] extends { body: { schema: infer Schema } }
  ? z.output<Schema>
  : undefined

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

/** The path parameters of an operation, decoded. */
export type ParamsOf<Name extends OperationName> = Record<ParamNames<Operations[Name]['path']>, string>
