import type { SuccessOf } from '../contract/operations.js'
import type {
  ErrorBody,
  Project,
  ProjectName,
  SessionBundle,
  User,
  ValidationDetails,
  ValidationErrorBody,
} from '../contract/schemas.js'

// Checks of responses, since the contract's schemas are larger than the client. The types hold each check to its schema.
// Unknown fields are ignored: a later version of the service may add them.

type Check<Value> = (value: unknown) => value is Value

const text: Check<string> = (value) => typeof value === 'string'
const textOrNull: Check<string | null> = (value) => value === null || text(value)
const textOrNone: Check<string | undefined> = (value) => value === undefined || text(value)
const trueOrNone: Check<true | undefined> = (value) => value === undefined || value === true
const ok: Check<'ok'> = (value) => value === 'ok'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const list =
  <Item>(item: Check<Item>): Check<Item[]> =>
  (value): value is Item[] =>
    Array.isArray(value) && value.every(item)

const object =
  <Value extends object>(fields: { [Field in keyof Value]-?: Check<Value[Field]> }): Check<Value> =>
  (value): value is Value =>
    isObject(value) && Object.entries<Check<unknown>>(fields).every(([field, check]) => check(value[field]))

const project = object<Project>({
  id: text,
  name: text,
  description: textOrNull,
  status: text,
  teamId: text,
  createdAt: text,
})

const fieldErrors: Check<Record<string, string[]>> = (value): value is Record<string, string[]> =>
  isObject(value) && Object.values(value).every(list(text))
const details = object<ValidationDetails>({ formErrors: list(text), fieldErrors })

/** Section 7. */
export const shortErrorBody = object<{ error: string }>({ error: text })
/** Section 2.4. */
export const errorBody = object<ErrorBody>({ error: text, code: text, docsUrl: text })
/** Section 2.5. */
export const validationErrorBody = object<ValidationErrorBody>({
  error: text,
  code: text,
  docsUrl: text,
  details: (value): value is ValidationDetails | null => value === null || details(value),
})

export const noBody: Check<undefined> = (value) => value === undefined
export const projectReply = object<SuccessOf<'createProject'>>({ project })
export const projectList = object<SuccessOf<'listProjects'>>({ projects: list(project) })
export const waitlistReply = object<SuccessOf<'joinWaitlist'>>({ status: ok })
export const sessionBundle = object<SessionBundle>({
  devMode: trueOrNone,
  user: object<User>({ id: text, email: text, givenName: text, familyName: text, picture: text }),
  organization: object<SessionBundle['organization']>({ orgCode: text }),
  permissions: list(text),
  teamId: text,
  projects: list(object<ProjectName>({ id: text, name: text })),
  role: textOrNone,
})
