import { type ErrorCode, errors } from '../../contract/errors.js'
import { type Project, ProjectListReply, ProjectReply, SessionBundle } from '../../contract/schemas.js'
import type { Expectation, Persona, ReceivedResponse } from './case.js'

// An error of the session or the waitlist operation has no code: its status says what it is (section 7).

/** The error body (section 2.4) of a code, by default with the status of the error catalogue. */
export const failure = (code: ErrorCode, status: number = errors[code].status): Expectation => ({
  status,
  has: { code },
})

/**
 * The validation error body (section 2.5) with messages for exactly these fields; `form`: with messages for the body as
 * a whole; null: without details.
 */
export const invalid = (fields: string[] | null, form = false): Expectation => ({
  status: 422,
  has: {
    code: 'VALIDATION_FAILED',
    details: fields && {
      formErrors: ({ length }: string[]) => length > 0 === form,
      fieldErrors: (found: object) => `${Object.keys(found).sort()}` === `${[...fields].sort()}`,
    },
  },
})

export const joined: Expectation = { status: 200, body: { status: 'ok' } }

/** 201 with a new project that has these values, in the team of the persona if one is given. */
export const created = (values: Partial<Project> = {}, as?: Persona): Expectation => ({
  status: 201,
  has: ({ data }) => ({ project: as ? { ...values, teamId: data.bundle(as).teamId } : values }),
})

/** 200 with a project that has these values. */
export const updated = (values: Partial<Project> = {}): Expectation => ({
  status: 200,
  has: { project: values },
})

/** 200 with the test data's own project, unchanged except for these values. */
export const ownProjectWith = (changes: Partial<Project> = {}): Expectation => ({
  status: 200,
  body: ({ data }) => ({ project: { ...data.ownProject, ...changes } }),
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

/** The project in an earlier response. */
export const projectIn = (response: ReceivedResponse | undefined): Project =>
  ProjectReply.parse(response?.json).project

/** The projects in an earlier response. */
export const projectsIn = (response: ReceivedResponse | undefined): Project[] =>
  ProjectListReply.parse(response?.json).projects

/** An earlier session bundle. */
export const bundleIn = (response: ReceivedResponse | undefined): SessionBundle =>
  SessionBundle.parse(response?.json)
