import * as z from 'zod'

// The resources of section 2 and the request bodies of section 4. Types are inferred, never written twice.

/** A string that every store keeps as it was sent: no U+0000 and no lone surrogate. */
export const text = () =>
  z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'Must not contain U+0000 or a lone surrogate',
  })

const someText = () => text().min(1, { error: 'Must not be empty' })

/** Section 2.1: exactly these fields. */
export const Project = z.strictObject({
  id: z.string(),
  name: z.string().min(1),
  description: z.string().nullable(),
  status: z.string(),
  teamId: z.string(),
  createdAt: z.string(),
})
export type Project = z.infer<typeof Project>

/** The identity provider's profile of a caller, section 2.2. */
export const User = z.strictObject({
  id: z.string(),
  email: z.string(),
  givenName: z.string(),
  familyName: z.string(),
  picture: z.string(),
})
export type User = z.infer<typeof User>

/** Section 2.2. `devMode` and `role` come together, and from the mock alone. */
export const SessionBundle = z.strictObject({
  devMode: z.literal(true).optional(),
  user: User,
  organization: z.strictObject({ orgCode: z.string() }),
  permissions: z.array(z.string()),
  teamId: z.string(),
  projects: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  role: z.string().optional(),
})
export type SessionBundle = z.infer<typeof SessionBundle>

export const ProjectReply = z.strictObject({ project: Project })
export const ProjectListReply = z.strictObject({ projects: z.array(Project) })
export const WaitlistReply = z.strictObject({ status: z.literal('ok') })

/** Section 4.1: no other property, nothing coerced, the name kept as sent. */
export const CreateProjectBody = z.strictObject({
  name: someText(),
  description: text().optional(),
})

/** Section 4.3: any combination of the three; id, teamId and createdAt cannot be set. */
export const UpdateProjectBody = z.strictObject({
  name: someText().optional(),
  description: text().optional(),
  status: someText().optional(),
})
export type ProjectChanges = z.infer<typeof UpdateProjectBody>

/** Section 4.5: trimmed and lower-cased before anything else looks at it. */
export const JoinWaitlistBody = z.object({
  email: z.string().trim().toLowerCase().pipe(z.email()),
})

/** Section 2.4. */
export const ErrorBody = z.strictObject({ error: z.string(), code: z.string(), docsUrl: z.url() })
export type ErrorBody = z.infer<typeof ErrorBody>

/** Section 2.5. */
export const ValidationDetails = z.strictObject({
  formErrors: z.array(z.string()),
  fieldErrors: z.record(z.string(), z.array(z.string())),
})
export type ValidationDetails = z.infer<typeof ValidationDetails>

export const ValidationErrorBody = ErrorBody.extend({ details: ValidationDetails.nullable() })
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>

/** The form that the session and the waitlist operations use, section 7. */
export const ShortErrorBody = z.strictObject({ error: z.string() })
