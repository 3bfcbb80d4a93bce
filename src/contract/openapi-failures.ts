import { type ErrorCode, errors, type OperationalErrorCode, operationalErrors } from './errors.js'
import { errorExample, faultExample } from './openapi-examples.js'
import { type DescribedResponse, type JsonSchema, json, ref } from './openapi-schemas.js'
import { faultTexts } from './openapi-texts.js'
import type { BodyFaults, Operation } from './operations.js'

/** What running the service may answer on any operation that is found. */
const ofRunning = (Object.keys(operationalErrors) as OperationalErrorCode[]).filter(
  (code) => code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED',
)

/** Those of an operation: only a change is refused to another site. */
const ofRunningIt = ({ method }: Operation): OperationalErrorCode[] =>
  ofRunning.filter((code) => code !== 'CROSS_SITE_REFUSED' || method !== 'GET')

/** The name of the response that operations share, e.g. `RateLimited`. */
const shared = (code: OperationalErrorCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The responses that operations share, by name. */
export const sharedResponses = (): Record<string, DescribedResponse> =>
  Object.fromEntries(ofRunning.map((code) => [shared(code), operational(code)]))

/** All responses of an operation but its success, by status. */
export function failures(operation: Operation): Record<string, DescribedResponse | { $ref: string }> {
  const refs = ofRunningIt(operation).map((code) => [errors[code].status, ref('responses', shared(code))])
  return { ...Object.fromEntries(refs), ...ownFailures(operation) }
}

/** The responses to what a caller may do wrong; those of running the service join them where they share a status. */
function ownFailures(operation: Operation): Record<string, DescribedResponse> {
  const faults = Object.entries(operation.body?.faults ?? {}) as [keyof BodyFaults, number][]
  const codes: ErrorCode[] = operation.errors.filter((code) => code !== 'VALIDATION_FAILED')
  // A parameter that is not percent-encoded UTF-8 leads nowhere.
  if (operation.path.includes('{')) codes.push('NOT_FOUND')

  const statuses = new Set<number>([
    ...codes.map((code) => errors[code].status),
    ...faults.map(([, status]) => status),
  ])
  codes.push(...ofRunningIt(operation).filter((code) => statuses.has(errors[code].status)))

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

/** The response to a condition of running the service. */
const operational = (code: OperationalErrorCode): DescribedResponse => ({
  description: errors[code].when,
  ...(/429|503/.test(String(errors[code].status)) && {
    headers: {
      'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
    },
  }),
  content: json(withCodes('ErrorBody', [code]), { [code]: { value: errorExample(code) } }),
})
