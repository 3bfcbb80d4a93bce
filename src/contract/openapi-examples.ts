import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors } from './errors.js'
import { defaultTeamLimits, maxBodyBytes } from './limits.js'
import { limitMessage, messageOf, messages } from './messages.js'
import type { Example } from './openapi-schemas.js'
import type { Operation } from './operations.js'
import type { ValidationDetails } from './schemas.js'

// Examples of the failures of an operation. A test provokes each of them.

/** An example, with its place in the document. */
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

type Fault = [
  name: string,
  status: number,
  summary: string,
  error: string,
  /** For a 422 with the full body. */
  details?: ValidationDetails | null,
]

const invalid = errors.VALIDATION_FAILED.message

/** Examples of faults of request bodies, query parameters and team sizes. */
export function faultExamples(operation: Operation): FailureExample[] {
  const { body, query, teamLimits = [], errorForm, errorTexts } = operation
  const faults: Fault[] = [
    ...(body ? bodyFaults(body) : []),
    ...(query ? queryFaults(query) : []),
    ...teamLimits.map((limit): Fault => {
      const summary = limit === 'projects' ? 'The team is full.' : 'The team has no room for more text.'
      const formErrors = [limitMessage(limit, defaultTeamLimits[limit])]
      return [limit, 422, summary, invalid, { formErrors, fieldErrors: {} }]
    }),
  ]
  const code = 'VALIDATION_FAILED'
  return faults.map(([name, status, summary, error, details = null]) => {
    const value = errorValue(errorForm, code, errorTexts?.[status] ?? error)
    const hasDetails = status === 422 && errorForm === 'full'
    return { name, code, status, summary, value: hasDetails ? { ...value, details } : value }
  })
}

const queryFaults = ({ schema }: NonNullable<Operation['query']>): Fault[] => [
  ['query', 422, 'The query parameters break their schema.', messages.query, detailsOf(schema, {})],
]

const bodyFaults = ({ schema, faults }: NonNullable<Operation['body']>): Fault[] => [
  ['mediaType', faults.mediaType, 'The content type is not application/json.', messages.mediaType],
  ['tooLarge', faults.tooLarge, `The body has more than ${maxBodyBytes / 1024} KiB.`, messages.tooLarge],
  ['empty', faults.unreadable, 'There is no body.', messages.empty],
  ['notJson', faults.unreadable, 'The body is not UTF-8, or not JSON.', messages.notJson],
  ['notAnObject', faults.notAnObject, 'The body is JSON, but not an object.', invalid, detailsOf(schema, [])],
  [
    'invalid',
    faults.invalid,
    'The body is an object that breaks its schema.',
    invalid,
    detailsOf(schema, { name: '', owner: 'ada' }),
  ],
]

function detailsOf(schema: z.ZodType, value: unknown): ValidationDetails | null {
  const { error } = schema.safeParse(value)
  return error ? (z.flattenError(error) as ValidationDetails) : null
}
