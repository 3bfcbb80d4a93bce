import * as z from 'zod'
import {
  type ErrorCode,
  errorDocsPath,
  errors,
  type OperationalErrorCode,
  operationalErrors,
} from './errors.js'
import { type DescribedResponse, type Example, type JsonSchema, json, ref } from './openapi-schemas.js'
import { type BodyFaults, maxBodyBytes, type Operation } from './operations.js'
import type { ErrorBody } from './schemas.js'

/** Each body fault in words, as the summary of its example. */
const faultTexts: Record<keyof BodyFaults, string> = {
  mediaType: 'The content type is not application/json.',
  tooLarge: `The body has more than ${maxBodyBytes / 1024} KiB.`,
  unreadable: 'The body is empty, not UTF-8, or not JSON.',
  notAnObject: 'The body is JSON, but not an object.',
  invalid: 'The body is an object that breaks its schema.',
}

/** The operational errors of any operation: a request that reaches one has a known path and method. */
const common = (Object.keys(operationalErrors) as OperationalErrorCode[]).filter(
  (code) => code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED',
)

/** The operational errors of an operation: only changes are refused across sites. */
const operationalCodes = ({ method }: Operation): OperationalErrorCode[] =>
  common.filter((code) => code !== 'CROSS_SITE_REFUSED' || method !== 'GET')

/** The component name of a shared response, e.g. `RateLimited`. */
const componentName = (code: OperationalErrorCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The responses that operations share, by component name. */
export const sharedResponses = (): Record<string, DescribedResponse> =>
  Object.fromEntries(common.map((code) => [componentName(code), operationalResponse(code)]))

/** The responses to an operation's failures, by status. */
export function failures(operation: Operation): Record<string, DescribedResponse | { $ref: string }> {
  const refs = operationalCodes(operation).map((code) => [
    errors[code].status,
    ref('responses', componentName(code)),
  ])
  return { ...Object.fromEntries(refs), ...ownFailures(operation) }
}

type FailureExample = Required<Example> & { name: string; code: ErrorCode; status: number }

/** The responses to a caller's faults; an operational error that shares a status with one is described there. */
function ownFailures(operation: Operation): Record<string, DescribedResponse> {
  const faults = Object.entries(operation.body?.faults ?? {}) as [keyof BodyFaults, number][]
  const codes: ErrorCode[] = operation.errors.filter((code) => code !== 'VALIDATION_FAILED')
  // A path parameter that is not percent-encoded UTF-8 is an unknown path.
  if (operation.params) codes.push('NOT_FOUND')

  const own = [
    ...codes.map((code) => codeExample(operation, code)),
    ...faults.map(([fault, status]) => faultExample(operation, fault, status)),
  ]
  const statuses = new Set(own.map(({ status }) => status))
  const all = [...own, ...operationalCodes(operation).map((code) => codeExample(operation, code))]
  return Object.fromEntries(
    [...statuses].map((status) => {
      const examples = all.filter((example) => example.status === status)
      const description = examples.map(({ summary }) => summary).join(' ')
      const schema = failureSchema(operation, status, [...new Set(examples.map(({ code }) => code))])
      const named = Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }]))
      return [status, { description, content: json(schema, named) }]
    }),
  )
}

function failureSchema(operation: Operation, status: number, codes: ErrorCode[]): JsonSchema {
  if (operation.errorForm === 'full')
    return withCodes(status === 422 ? 'ValidationErrorBody' : 'ErrorBody', codes)
  const short = ref('schemas', 'ShortErrorBody')
  const text = operation.errorTexts?.[status]
  return text ? { allOf: [short, { properties: { error: { const: text } } }] } : short
}

/** The schema of an error body with one of these codes. */
export const withCodes = (schema: string, codes: readonly ErrorCode[]): JsonSchema => ({
  allOf: [ref('schemas', schema), { properties: { code: { enum: codes } } }],
})

/** The error body of a code, section 2.4. */
export const errorExample = (code: ErrorCode): ErrorBody => ({
  error: errors[code].message,
  code,
  docsUrl: `https://api.example${errorDocsPath(code)}`,
})

const codeExample = ({ errorForm }: Operation, code: ErrorCode): FailureExample => {
  const { status, when, message } = errors[code]
  const value = errorForm === 'short' ? { error: message } : errorExample(code)
  return { name: code, code, status, summary: when, value }
}

/** The example of a body fault, in the operation's error form. */
function faultExample(
  { errorForm, errorTexts, body }: Operation,
  fault: keyof BodyFaults,
  status: number,
): FailureExample {
  const invalidBody = fault === 'notAnObject' ? [] : { name: '', owner: 'ada' }
  const error = fault === 'unreadable' ? undefined : body?.schema.safeParse(invalidBody).error
  const details = error ? z.flattenError(error) : null
  const full = { ...errorExample('VALIDATION_FAILED'), ...(status === 422 && { details }) }
  const value = errorForm === 'short' ? { error: errorTexts?.[status] ?? full.error } : full
  return { name: fault, code: 'VALIDATION_FAILED', status, summary: faultTexts[fault], value }
}

function operationalResponse(code: OperationalErrorCode): DescribedResponse {
  const { status, when } = errors[code]
  const description = 'Seconds to wait before the next attempt.'
  return {
    description: when,
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { description, schema: { type: 'integer' } } },
    }),
    content: json(withCodes('ErrorBody', [code]), { [code]: { value: errorExample(code) } }),
  }
}
