import { type ErrorCode, errors, type OperationalErrorCode } from './errors.js'
import { messages } from './messages.js'
import {
  codeExample,
  errorValue,
  type FailureExample,
  faultExamples,
  notHttpExample,
} from './openapi-examples.js'
import { type DescribedResponse, type JsonSchema, json, ref } from './openapi-schemas.js'
import { type Operation, operationalCodesOf, operations } from './operations.js'

const refused =
  'No operation ran: the request is not valid HTTP (400, 413, 431), or arrives too slowly (408).'

type Form = Operation['errorForm']

/** The component name of a shared response, e.g. `RateLimited`, or `ShortRateLimited` with the short body. */
const componentName = (code: OperationalErrorCode | 'REFUSED', form: Form): string =>
  (form === 'short' ? `SHORT_${code}` : code)
    .toLowerCase()
    .replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The responses that operations share: operational errors, and requests that reach no operation. */
function sharedFailures(operation: Operation) {
  const { errorForm: form } = operation
  const own = ownFailures(operation)
  const operational = operationalCodesOf(operation)
    .filter((code) => !own[errors[code].status])
    .map((code) => ({
      status: String(errors[code].status),
      name: componentName(code, form),
      response: sharedResponse(errors[code].when, [code], form),
    }))
  const response = sharedResponse(refused, ['VALIDATION_FAILED'], form, messages.notHttp)
  return [...operational, { status: 'default', name: componentName('REFUSED', form), response }]
}

/** The responses that operations share, by component name. */
export const sharedResponses = (): Record<string, DescribedResponse> =>
  Object.fromEntries(
    Object.values<Operation>(operations)
      .flatMap(sharedFailures)
      .map(({ name, response }) => [name, response]),
  )

export const failures = (operation: Operation): Record<string, DescribedResponse | { $ref: string }> => ({
  ...ownFailures(operation),
  ...Object.fromEntries(
    sharedFailures(operation).map(({ status, name }) => [status, ref('responses', name)]),
  ),
})

/** The responses to a caller's faults, with other errors of the same statuses. */
function ownFailures(operation: Operation): Record<string, DescribedResponse> {
  const codes = operation.errors.filter((code) => code !== 'VALIDATION_FAILED')
  const own = [...codes.map((code) => codeExample(operation, code)), ...faultExamples(operation)]
  const operational = operationalCodesOf(operation).map((code) => codeExample(operation, code))
  const all = [...own, ...operational, notHttpExample(operation)]
  return Object.fromEntries(
    own.map(({ status }) => {
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
  const isFixed =
    text !== undefined && examples.every(({ value }) => (value as { error: string }).error === text)
  return isFixed ? { allOf: [schema, { properties: { error: { const: text } } }] } : schema
}

/** The schema of an error body with one of these codes. The short body has no code. */
const errorSchema = (form: Form, codes: readonly ErrorCode[], status?: number): JsonSchema =>
  form === 'short'
    ? ref('schemas', 'ShortErrorBody')
    : {
        allOf: [
          ref('schemas', status === 422 ? 'ValidationErrorBody' : 'ErrorBody'),
          { properties: { code: { type: 'string', enum: codes } } },
        ],
      }

/** A response that operations share. Its example has the first code. */
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
  const value = errorValue(form, code, error ?? errors[code].message)
  return {
    description,
    ...(isRetried && { headers: { 'Retry-After': retryAfter } }),
    content: json(errorSchema(form, codes), { [code]: { value } }),
  }
}
