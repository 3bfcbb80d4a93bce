import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors } from './errors.js'
import { defaultTeamLimits } from './limits.js'
import { limitMessage, messageOf, messages } from './messages.js'
import type { Example } from './openapi-schemas.js'
import { maxBodyBytes, type Operation } from './operations.js'
import type { ValidationDetails } from './schemas.js'

// The examples of the failures of an operation, each with the body that is really sent: a test provokes all of them.

/** An example, with what tells where in the document it belongs. */
export type FailureExample = Required<Example> & { name: string; code: ErrorCode; status: number }

/** The body of an error, section 2.4, or its short form, section 7. */
export const errorValue = (form: Operation['errorForm'], code: ErrorCode, error: string) =>
  form === 'short' ? { error } : { error, code, docsUrl: `https://api.example${errorDocsPath(code)}` }

export const codeExample = (operation: Operation, code: ErrorCode): FailureExample => ({
  name: code,
  code,
  status: errors[code].status,
  summary: errors[code].when,
  value: errorValue(operation.errorForm, code, messageOf(operation, code)),
})

/** A request that reaches no operation. */
export const notHttpExample = ({ errorForm }: Operation): FailureExample => ({
  name: 'notHttp',
  code: 'VALIDATION_FAILED',
  status: 400,
  summary: messages.notHttp,
  value: errorValue(errorForm, 'VALIDATION_FAILED', messages.notHttp),
})

type Fault = { summary: string; error?: string; details?: ValidationDetails | null }

function faultExample(operation: Operation, name: string, status: number, fault: Fault): FailureExample {
  const { errorForm, errorTexts } = operation
  const { summary, error = errors.VALIDATION_FAILED.message, details = null } = fault
  const value = errorValue(errorForm, 'VALIDATION_FAILED', errorTexts?.[status] ?? error)
  const hasDetails = status === 422 && errorForm === 'full'
  return {
    name,
    code: 'VALIDATION_FAILED',
    status,
    summary,
    value: hasDetails ? { ...value, details } : value,
  }
}

/** What can be wrong with a request body, with query parameters, and with the size of the team. */
export function faultExamples(operation: Operation): FailureExample[] {
  const { body, query, teamLimits = [] } = operation
  const example = (name: string, status: number, fault: Fault) => faultExample(operation, name, status, fault)
  const ofQuery = query && [
    example('query', 422, {
      summary: 'The query parameters break their schema.',
      error: messages.query,
      details: detailsOf(query.schema, {}),
    }),
  ]
  const ofLimits = teamLimits.map((limit) =>
    example(limit, 422, {
      summary: limit === 'projects' ? 'The team is full.' : 'The team has no room for more text.',
      details: { formErrors: [limitMessage(limit, defaultTeamLimits[limit])], fieldErrors: {} },
    }),
  )
  return [...(body ? bodyExamples(body, example) : []), ...(ofQuery ?? []), ...ofLimits]
}

const bodyExamples = (
  { schema, faults }: NonNullable<Operation['body']>,
  example: (name: string, status: number, fault: Fault) => FailureExample,
): FailureExample[] => [
  example('mediaType', faults.mediaType, {
    summary: 'The content type is not application/json.',
    error: messages.mediaType,
  }),
  example('tooLarge', faults.tooLarge, {
    summary: `The body has more than ${maxBodyBytes / 1024} KiB.`,
    error: messages.tooLarge,
  }),
  example('empty', faults.unreadable, { summary: 'There is no body.', error: messages.empty }),
  example('notJson', faults.unreadable, {
    summary: 'The body is not UTF-8, or not JSON.',
    error: messages.notJson,
  }),
  example('notAnObject', faults.notAnObject, {
    summary: 'The body is JSON, but not an object.',
    details: detailsOf(schema, []),
  }),
  example('invalid', faults.invalid, {
    summary: 'The body is an object that breaks its schema.',
    details: detailsOf(schema, { name: '', owner: 'ada' }),
  }),
]

function detailsOf(schema: z.ZodType, value: unknown): ValidationDetails | null {
  const { error } = schema.safeParse(value)
  return error ? (z.flattenError(error) as ValidationDetails) : null
}
