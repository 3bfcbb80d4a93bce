import * as z from 'zod'
import { type ErrorCode, errorDocsPath, errors, type OperationalErrorCode } from './errors.js'
import { type DescribedResponse, type Example, type JsonSchema, json, ref } from './openapi-schemas.js'
import {
  type BodyFaults,
  maxBodyBytes,
  type Operation,
  operationalCodesOf,
  operations,
} from './operations.js'
import type { ErrorBody } from './schemas.js'

/** Each body fault in words, as the summary of its example. */
const faultTexts: Record<keyof BodyFaults, string> = {
  mediaType: 'The content type is not application/json.',
  tooLarge: `The body has more than ${maxBodyBytes / 1024} KiB.`,
  unreadable: 'The body is empty, not UTF-8, or not JSON.',
  notAnObject: 'The body is JSON, but not an object.',
  invalid: 'The body is an object that breaks its schema.',
}

const notHttp = 'The request is not valid HTTP.'
const refused =
  'No operation ran: the request is not valid HTTP (400, 413, 431) or arrives too slowly (408), or its client has too many pending requests (429).'

type Form = Operation['errorForm']

/** The operational errors that are described by status. The default describes a 429 for too many pending requests. */
const operationalCodes = (operation: Operation): OperationalErrorCode[] =>
  operationalCodesOf(operation).filter((code) => code !== 'RATE_LIMITED' || operation.rateLimited)

/** The component name of a shared response, e.g. `RateLimited`, or `ShortRateLimited` with the short body. */
const componentName = (code: OperationalErrorCode | 'REFUSED', form: Form): string =>
  (form === 'short' ? `SHORT_${code}` : code)
    .toLowerCase()
    .replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The responses of an operation that others share: to operational errors, and to requests that reach no operation. */
function sharedFailures(operation: Operation) {
  const { errorForm: form } = operation
  const own = ownFailures(operation)
  const operational = operationalCodes(operation)
    .filter((code) => !own[errors[code].status])
    .map((code) => ({
      status: String(errors[code].status),
      name: componentName(code, form),
      response: sharedResponse(errors[code].when, [code], form),
    }))
  const response = sharedResponse(refused, ['VALIDATION_FAILED', 'RATE_LIMITED'], form, notHttp)
  return [...operational, { status: 'default', name: componentName('REFUSED', form), response }]
}

/** The responses that operations share, by component name. */
export const sharedResponses = (): Record<string, DescribedResponse> =>
  Object.fromEntries(
    Object.values<Operation>(operations)
      .flatMap(sharedFailures)
      .map(({ name, response }) => [name, response]),
  )

/** The responses to an operation's failures, by status. */
export const failures = (operation: Operation): Record<string, DescribedResponse | { $ref: string }> => ({
  ...ownFailures(operation),
  ...Object.fromEntries(
    sharedFailures(operation).map(({ status, name }) => [status, ref('responses', name)]),
  ),
})

type FailureExample = Required<Example> & { name: string; code: ErrorCode; status: number }

/** The responses to a caller's faults. Other errors with the same status are described there. */
function ownFailures(operation: Operation): Record<string, DescribedResponse> {
  const faults = Object.entries(operation.body?.faults ?? {}) as [keyof BodyFaults, number][]
  const codes = operation.errors.filter((code) => code !== 'VALIDATION_FAILED')
  const own = [
    ...codes.map((code) => codeExample(operation, code)),
    ...faults.map(([fault, status]) => faultExample(operation, fault, status)),
  ]
  const statuses = new Set(own.map(({ status }) => status))
  const all = [
    ...own,
    ...operationalCodes(operation).map((code) => codeExample(operation, code)),
    notHttpExample(operation),
  ]
  return Object.fromEntries(
    [...statuses].map((status) => {
      const examples = all.filter((example) => example.status === status)
      const description = examples.map(({ summary }) => summary).join(' ')
      const named = Object.fromEntries(examples.map(({ name, summary, value }) => [name, { summary, value }]))
      return [status, { description, content: json(failureSchema(operation, status, examples), named) }]
    }),
  )
}

function failureSchema(operation: Operation, status: number, examples: FailureExample[]): JsonSchema {
  const codes = [...new Set(examples.map(({ code }) => code))]
  const schema = errorSchema(operation.errorForm, codes, status)
  const text = operation.errorTexts?.[status]
  const isFixed = text !== undefined && examples.every(({ value }) => (value as ErrorBody).error === text)
  return isFixed ? { allOf: [schema, { properties: { error: { const: text } } }] } : schema
}

/** The schema of an error body with one of these codes; the short body has none. */
const errorSchema = (form: Form, codes: readonly ErrorCode[], status?: number): JsonSchema =>
  form === 'short'
    ? ref('schemas', 'ShortErrorBody')
    : {
        allOf: [
          ref('schemas', status === 422 ? 'ValidationErrorBody' : 'ErrorBody'),
          { properties: { code: { type: 'string', enum: codes } } },
        ],
      }

/** The error body of a code, section 2.4, or its short form, section 7. */
const errorExample = (code: ErrorCode, form: Form = 'full', error: string = errors[code].message) =>
  form === 'short' ? { error } : { error, code, docsUrl: `https://api.example${errorDocsPath(code)}` }

const codeExample = ({ errorForm }: Operation, code: ErrorCode): FailureExample => {
  const { status, when } = errors[code]
  return { name: code, code, status, summary: when, value: errorExample(code, errorForm) }
}

const notHttpExample = ({ errorForm }: Operation): FailureExample => {
  const code = 'VALIDATION_FAILED'
  return {
    name: 'notHttp',
    code,
    status: 400,
    summary: notHttp,
    value: errorExample(code, errorForm, notHttp),
  }
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

/** A response that operations share. The first code has the example. */
function sharedResponse(
  description: string,
  codes: [ErrorCode, ...ErrorCode[]],
  form: Form,
  error?: string,
): DescribedResponse {
  const [code] = codes
  const isRetried = codes.some((code) => /^(429|503)$/.test(String(errors[code].status)))
  const retryAfter = {
    description: 'Seconds to wait before the next attempt, if the status is 429 or 503.',
    schema: { type: 'integer' },
  }
  return {
    description,
    ...(isRetried && { headers: { 'Retry-After': retryAfter } }),
    content: json(errorSchema(form, codes), { [code]: { value: errorExample(code, form, error) } }),
  }
}
