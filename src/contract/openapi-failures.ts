import { type ErrorCode, errors, type OperationalErrorCode } from './errors.js'
import { errorExample, faultExample } from './openapi-examples.js'
import { type DescribedResponse, type JsonSchema, json, ref } from './openapi-schemas.js'
import { faultTexts } from './openapi-texts.js'
import type { BodyFaults, Operation } from './operations.js'

/** The responses to what a caller may do wrong, by status. */
export function failures(operation: Operation): Record<string, DescribedResponse> {
  const faults = Object.entries(operation.body?.faults ?? {}) as [keyof BodyFaults, number][]
  const codes: ErrorCode[] = operation.errors.filter((code) => code !== 'VALIDATION_FAILED')
  // A parameter that is not percent-encoded UTF-8 leads nowhere.
  if (operation.path.includes('{')) codes.push('NOT_FOUND')

  const statuses = new Set([
    ...codes.map((code) => errors[code].status),
    ...faults.map(([, status]) => status),
  ])
  return Object.fromEntries(
    [...statuses].map((status): [number, DescribedResponse] => {
      const its = codes.filter((code) => errors[code].status === status)
      const itsFaults = faults.filter(([, of]) => of === status).map(([fault]) => fault)
      const examples = {
        ...Object.fromEntries(
          its.map((code) => [code, { summary: errors[code].when, value: example(operation, code) }]),
        ),
        ...Object.fromEntries(
          itsFaults.map((fault) => [
            fault,
            { summary: faultTexts[fault], value: faultExample(operation, fault) },
          ]),
        ),
      }
      const description = Object.values(examples)
        .map(({ summary }) => summary)
        .join(' ')
      const all: ErrorCode[] = itsFaults.length > 0 ? [...its, 'VALIDATION_FAILED'] : its
      return [status, { description, content: json(failureSchema(operation, status, all), examples) }]
    }),
  )
}

const example = ({ errorForm }: Operation, code: ErrorCode) =>
  errorForm === 'short' ? { error: errors[code].message } : errorExample(code)

function failureSchema(operation: Operation, status: number, codes: ErrorCode[]): JsonSchema {
  if (operation.errorForm === 'full')
    return withCodes(status === 422 ? 'ValidationErrorBody' : 'ErrorBody', codes)
  const short = ref('schemas', 'ShortErrorBody')
  const { shortMessage } = operation
  return shortMessage ? { allOf: [short, { properties: { error: { const: shortMessage } } }] } : short
}

/** An error body with one of these codes. */
export const withCodes = (schema: string, codes: readonly ErrorCode[]): JsonSchema => ({
  allOf: [ref('schemas', schema), { properties: { code: { enum: codes } } }],
})

/** The response to a condition of running the service, on every operation. */
export const operational = (code: OperationalErrorCode, retry = false) => ({
  description: errors[code].when,
  ...(retry && {
    headers: {
      'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
    },
  }),
  content: json(withCodes('ErrorBody', [code]), { [code]: { value: errorExample(code) } }),
})
