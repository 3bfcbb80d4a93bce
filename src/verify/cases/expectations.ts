import * as z from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.js'
import {
  ErrorBody,
  Project,
  ProjectListReply,
  ProjectReply,
  ShortErrorBody,
  ValidationDetails,
} from '../../contract/schemas.js'
import type { Answer, Expected, Persona, Seen } from './case.js'

// Expected answers, as short as a case wants them.

const message = z.string().min(1)

/** The error body, section 2.4, with the status that the catalogue gives the code. */
export const refused = (code: ErrorCode, status: number = errors[code].status): Expected => ({
  status,
  body: ErrorBody.extend({ error: message, code: z.literal(code) }),
})

/** The validation error body, section 2.5; `details` is the schema or the value that it has to be. */
export const invalid = (details: z.ZodType = ValidationDetails): Expected => ({
  status: 422,
  body: ErrorBody.extend({ error: message, code: z.literal('VALIDATION_FAILED'), details }),
})

/** Details with a message for each of these fields, and none for others; `form`: for the body as a whole. */
export const faultsIn = (fields: string[], form = false): z.ZodType =>
  z.strictObject({
    formErrors: form ? z.array(message).min(1) : z.array(message).max(0),
    fieldErrors: z.strictObject(Object.fromEntries(fields.map((name) => [name, z.array(message).min(1)]))),
  })

/** The short form of the session operation, section 4.4. */
export const signInFirst: Expected = { status: 401, body: ShortErrorBody.extend({ error: message }) }

/** The short form of the waitlist operation, section 4.5. */
export const emailRequired = (status: number): Expected => ({ status, body: { error: 'email_required' } })

export const joined: Expected = { status: 200, body: { status: 'ok' } }

/** A project whose id is a UUID version 7 and whose time is RFC 3339 in UTC with milliseconds. */
export const freshProject = Project.extend({
  id: z.uuidv7(),
  createdAt: z.iso.datetime({ precision: 3, offset: false }),
})

/** 201 with a fresh project that has these values, in the team of a persona where one is named. */
export const created = (values: Partial<Project> = {}, as?: Persona): Expected => ({
  status: 201,
  body: ({ world }) =>
    projectWith(freshProject, as ? { ...values, teamId: world.bundle(as).teamId } : values),
})

/** 200 with a project that has these values. */
export const updated = (values: Partial<Project> = {}): Expected => ({
  status: 200,
  body: () => projectWith(Project, values),
})

/** 200 with the world's project, as it was but for these changes. */
export const mineWith = (changes: Partial<Project> = {}): Expected => ({
  status: 200,
  body: ({ world }) => ({ project: { ...world.mine, ...changes } }),
})

const projectWith = (project: z.ZodType<Project>, values: Partial<Project>) =>
  z.strictObject({ project: project.refine(has(values), { error: `has ${show(values)}` }) })

/** 200 with every project of a persona's team as it was, but for these changes of the world's project. */
export const everyProject = (as: Persona = 'acme-owner', changes: Partial<Project> = {}): Expected => ({
  status: 200,
  body: ({ world }: Seen) => ({
    projects: world.projects(as).map((one) => (one.id === world.mine.id ? { ...one, ...changes } : one)),
  }),
})

/** 200 with a list of projects about which something holds. */
export const listed = (holds: (projects: Project[]) => boolean, what: string): Expected => ({
  status: 200,
  body: ProjectListReply.refine(({ projects }) => holds(projects), { error: what }),
})

/** The project of an earlier answer. */
export const projectIn = (answer: Answer | undefined): Project => ProjectReply.parse(answer?.json).project

/** The projects of an earlier answer. */
export const projectsIn = (answer: Answer | undefined): Project[] =>
  ProjectListReply.parse(answer?.json).projects

const show = (values: object) => JSON.stringify(values).slice(0, 200)

const has = (values: Partial<Project>) => (project: Project) =>
  Object.entries(values).every(([name, value]) => project[name as keyof Project] === value)
