import * as z from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.js'
import {
  ErrorBody,
  Project,
  ProjectListReply,
  ProjectReply,
  SessionBundle,
  ShortErrorBody,
  ValidationDetails,
} from '../../contract/schemas.js'
import type { Expectation, Persona, ReceivedResponse } from './case.js'

const message = z.string().min(1)

/** The error body (section 2.4) of a code, by default with the status of the error catalogue. */
export const failure = (code: ErrorCode, status: number = errors[code].status): Expectation => ({
  status,
  body: ErrorBody.extend({ error: message, code: z.literal(code) }),
})

/** The validation error body (section 2.5) with details of this schema. */
export const validationFailure = (details: z.ZodType = ValidationDetails): Expectation => ({
  status: 422,
  body: ErrorBody.extend({ error: message, code: z.literal('VALIDATION_FAILED'), details }),
})

/** Details with messages for exactly these fields; `form`: with messages for the body as a whole. */
export const detailsFor = (fields: string[], form = false): z.ZodType =>
  z.strictObject({
    formErrors: form ? z.array(message).min(1) : z.array(message).max(0),
    fieldErrors: z.strictObject(Object.fromEntries(fields.map((name) => [name, z.array(message).min(1)]))),
  })

/** The short error form of the session and the waitlist operation (section 7), with any text. */
export const shortFailure = (status: number): Expectation => ({
  status,
  body: ShortErrorBody.extend({ error: message }),
})

/** The two documented errors of the waitlist operation, section 4.5. */
export const emailRequired = (status: number): Expectation => ({
  status,
  body: { error: 'email_required' },
})

export const joined: Expectation = { status: 200, body: { status: 'ok' } }

/** A project whose id is a UUID version 7 and whose time is RFC 3339 in UTC with milliseconds. */
const newProject = Project.extend({
  id: z.uuidv7(),
  createdAt: z.iso.datetime({ precision: 3, offset: false }),
})

/** 201 with a new project that has these values, in the team of the persona if one is given. */
export const created = (values: Partial<Project> = {}, as?: Persona): Expectation => ({
  status: 201,
  body: ({ data }) => projectWith(newProject, as ? { ...values, teamId: data.bundle(as).teamId } : values),
})

/** 200 with a project that has these values. */
export const updated = (values: Partial<Project> = {}): Expectation => ({
  status: 200,
  body: () => projectWith(Project, values),
})

/** 200 with the test data's own project, unchanged except for these values. */
export const ownProjectWith = (changes: Partial<Project> = {}): Expectation => ({
  status: 200,
  body: ({ data }) => ({ project: { ...data.ownProject, ...changes } }),
})

const projectWith = (project: z.ZodType<Project>, values: Partial<Project>) =>
  z.strictObject({
    project: project.refine(
      (actual) => Object.entries(values).every(([name, value]) => actual[name as keyof Project] === value),
      { error: `expected ${JSON.stringify(values).slice(0, 200)}` },
    ),
  })

/** 200 with all projects of a persona's team, unchanged except for these values of the own project. */
export const allProjects = (as: Persona = 'acme-owner', changes: Partial<Project> = {}): Expectation => ({
  status: 200,
  body: ({ data }) => ({
    projects: data
      .projects(as)
      .map((project) => (project.id === data.ownProject.id ? { ...project, ...changes } : project)),
  }),
})

/** 200 with a session bundle of which a condition holds; `expected` describes it in messages. */
export const bundleWith = (expected: string, holds: (bundle: SessionBundle) => boolean): Expectation => ({
  status: 200,
  body: SessionBundle.refine(holds, { error: `expected ${expected}` }),
})

/** The project in an earlier response. */
export const projectIn = (response: ReceivedResponse | undefined): Project =>
  ProjectReply.parse(response?.json).project

/** The projects in an earlier response. */
export const projectsIn = (response: ReceivedResponse | undefined): Project[] =>
  ProjectListReply.parse(response?.json).projects

/** An earlier session bundle. */
export const bundleIn = (response: ReceivedResponse | undefined): SessionBundle =>
  SessionBundle.parse(response?.json)
