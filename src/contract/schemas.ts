import * as z from 'zod'
import { avoidEval } from './avoid-eval.js'
import { emailPattern, isEmailAddress } from './email.js'
import { isStorable } from './storable.js'

// The resources of section 2 and the request bodies of section 4. Types are inferred from the schemas; the OpenAPI document
// has their descriptions.

const restore = avoidEval()

/** A string that every store returns unchanged: no U+0000 and no lone surrogate. */
export const text = () =>
  z.string().refine(isStorable, { error: 'Must not contain U+0000 or a lone surrogate' })

export const emailAddress = () => text().refine(isEmailAddress, { error: 'Not an email address' })

export const nonEmptyText = () => text().min(1, { error: 'Must not be empty' })

/** The sentence about it, in descriptions. */
export const storable = 'Must not contain U+0000 or a lone surrogate.'
const projectName = () => nonEmptyText().describe(`Stored as sent. ${storable}`)
const projectDescription = () => text().describe(storable)

/** Section 2.1: exactly these fields. */
export const Project = z.strictObject({
  id: z.string().describe('Project identifier.'),
  name: z.string().min(1).describe('Unique within a team, compared without regard to case.'),
  description: z.string().nullable().describe('Null when no description is set.'),
  status: z.string().describe('Set by the update operation; any string.'),
  teamId: z.string().describe('Identifier of the owning team.'),
  createdAt: z.string().describe('Creation time: RFC 3339 in UTC.'),
})
export type Project = z.infer<typeof Project>

/** A project in the session bundle, section 2.2: exactly these fields. */
const ProjectName = z.strictObject({ id: z.string(), name: z.string() })
export type ProjectName = z.infer<typeof ProjectName>

/** The identity provider's profile of a caller, section 2.2. */
export const User = z.strictObject({
  id: z.string(),
  email: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  picture: z.string(),
})
export type User = z.infer<typeof User>

/** Section 2.2. Only the mock sets `devMode` and `role`, always together. */
export const SessionBundle = z
  .strictObject({
    devMode: z.literal(true).optional().describe('Only outside production: marks mock authentication.'),
    user: User.describe("The caller's profile at the identity provider."),
    organization: z.strictObject({ orgCode: z.string() }).describe("The caller's organisation."),
    permissions: z.array(z.string()).describe("The caller's permissions."),
    teamId: z.string().describe('Team resolved from the organisation code; empty without a team.'),
    projects: z.array(ProjectName).describe('Projects that the team owns, newest first.'),
    role: z.string().min(1).optional().describe('Only outside production, together with devMode.'),
  })
  .refine(({ devMode, role }) => (devMode === undefined) === (role === undefined), {
    error: 'devMode and role come together',
  })
export type SessionBundle = z.infer<typeof SessionBundle>

export const ProjectReply = z.strictObject({ project: Project })
export const ProjectListReply = z.strictObject({ projects: z.array(Project) })
export const WaitlistReply = z.strictObject({ status: z.literal('ok').describe('Always ok.') })

/** Section 4.1: no other property, no coercion, the name stored as sent. */
export const CreateProjectBody = z.strictObject({
  name: projectName(),
  description: projectDescription().optional(),
})

/** Section 4.3: any combination of the three; id, teamId and createdAt cannot be set. */
export const UpdateProjectBody = z.strictObject({
  name: projectName().optional(),
  description: projectDescription().optional(),
  status: nonEmptyText().describe(`Any string of at least one character. ${storable}`).optional(),
})
export type ProjectChanges = z.infer<typeof UpdateProjectBody>

/** Section 4.5: trimmed and lower-cased before it is validated. */
export const JoinWaitlistBody = z.object({
  email: z.string().trim().toLowerCase().pipe(emailAddress()).meta({
    pattern: emailPattern,
    description:
      'An email address: exactly one @, which is neither first nor last, no white space or control character, no lone surrogate, and at most 254 characters. White space around it is trimmed, and it is lower-cased, before it is checked and stored.',
  }),
})

/** Section 2.4. */
export const ErrorBody = z.strictObject({
  error: z.string().describe('What happened, for people.'),
  code: z.string().describe('What happened, for programs.'),
  docsUrl: z.url().describe('Opens a page about the code.'),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** Section 2.5. */
export const ValidationDetails = z.strictObject({
  formErrors: z.array(z.string()).describe('What is wrong with the body as a whole.'),
  fieldErrors: z.record(z.string(), z.array(z.string())).describe('What is wrong with each field.'),
})
export type ValidationDetails = z.infer<typeof ValidationDetails>

export const ValidationErrorBody = ErrorBody.extend({
  details: ValidationDetails.nullable().describe('What is wrong, or null where the body could not be read.'),
})
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>

/** The short form of the session and the waitlist operation, section 7. */
export const ShortErrorBody = z.strictObject({ error: z.string().describe('What happened.') })

restore()
