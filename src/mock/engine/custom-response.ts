import * as z from 'zod'
import { avoidEval } from '../../contract/avoid-eval.js'
import { type ErrorCode, errors } from '../../contract/errors.js'
import {
  type Operation,
  type OperationName,
  operationalCodesOf,
  operations,
} from '../../contract/operations.js'
import { ErrorBody, ShortErrorBody, ValidationErrorBody } from '../../contract/schemas.js'
import { operationalReply, successReply } from '../../handlers/reply.js'
import { pathOf } from '../../store/state-file.js'
import { ControlError } from '../state/control-error.js'
import { notHeader } from './header-lines.js'
import type { MockReply } from './mock-reply.js'
import { isStatus } from './outcomes.js'
import { isOperation, type TargetName } from './target-name.js'

/** A response that replaces that of an operation or a handler, or answers a path without one. */
export type CustomResponse = {
  /** Default: the status of the operation's success, for other targets 200. */
  status?: number
  /** The body, sent as JSON. */
  body?: unknown
  /** Sent unchanged in place of `body`. For an operation, whose responses are JSON, only with `unchecked`. */
  text?: string
  /** The type of `text`, for targets other than operations. Default: plain text. */
  contentType?: string
  /** Further headers, such as `Retry-After`. */
  headers?: Record<string, string>
  /** For an operation: send it although it breaks the contract. */
  unchecked?: boolean
}

/** The statuses of requests that reach no operation. Every operation may respond with them. */
const refusals = [400, 408, 413, 431]

/** The statuses of invalid bodies and requests. */
const faultsOf = ({ body }: Operation): number[] => [...Object.values(body?.faults ?? {}), ...refusals]

const codesOf = (operation: Operation): ErrorCode[] => [...operation.errors, ...operationalCodesOf(operation)]

/** The schema of an operation's responses with a status; undefined for a status that the contract lacks. */
export function responseSchema(name: OperationName, status: number): z.ZodType | undefined {
  const restore = avoidEval()
  try {
    return createSchema(name, status)
  } finally {
    restore()
  }
}

function createSchema(name: OperationName, status: number): z.ZodType | undefined {
  const operation: Operation = operations[name]
  if (status === operation.success.status) return operation.success.schema
  const codes = codesOf(operation).filter((code) => errors[code].status === status)
  if (faultsOf(operation).includes(status)) codes.push('VALIDATION_FAILED')
  if (codes.length === 0) return undefined
  if (operation.errorForm === 'full') {
    return (status === 422 ? ValidationErrorBody : ErrorBody).extend({ code: z.enum(codes) })
  }
  // The text of a 400 differs if the request is not valid HTTP.
  const text = status === 400 ? undefined : operation.errorTexts?.[status]
  return text === undefined ? ShortErrorBody : ShortErrorBody.extend({ error: z.literal(text) })
}

/** The statuses of an operation in the contract, in order. */
export function statusesOf(name: OperationName): number[] {
  const operation: Operation = operations[name]
  const ofCodes = codesOf(operation).map((code) => errors[code].status)
  const all = new Set([operation.success.status, ...ofCodes, ...faultsOf(operation)])
  return [...all].sort((a, b) => a - b)
}

const maxIssues = 10

/**
 * Validates a custom response. A response of an operation has to match the contract, unless it is `unchecked`.
 * @returns a copy with its status
 * @throws ControlError with the faults and their paths
 */
export function validateResponse(target: TargetName, response: CustomResponse): CustomResponse {
  // The options may come from JavaScript.
  if (typeof response !== 'object' || response === null) {
    throw new ControlError(`A response is given as { body: … }, not as ${JSON.stringify(response)}.`)
  }
  const operation: Operation | undefined = isOperation(target) ? operations[target] : undefined
  const { status = operation?.success.status ?? 200, contentType, unchecked } = response
  const { text, body } = contentOf(response, operation !== undefined && !unchecked)
  const headers = checkedHeaders(response.headers)
  const isEmpty = body === undefined && text === undefined
  const mayBeEmpty = !operation || (status === operation.success.status && !operation.success.schema)
  if ((body !== undefined && text !== undefined) || (isEmpty && !mayBeEmpty)) {
    throw new ControlError('A response has either a body, which is a JSON value, or a text.')
  }
  const content = text === undefined ? { body } : { text }
  if (!isOperation(target)) {
    checkSendable(status, isEmpty)
    if (contentType && !/^[\t -~\u0080-\u00FF]+$/.test(contentType)) {
      throw new ControlError(`"${contentType}" is not a content type: give one such as text/html.`)
    }
    return isEmpty
      ? { status, ...headers }
      : { status, ...content, ...headers, ...(text !== undefined && contentType && { contentType }) }
  }
  if (isEmpty) return { status, ...headers }
  if (unchecked) {
    checkSendable(status, false)
    return { status, ...content, ...headers, unchecked }
  }
  if (text !== undefined) {
    throw new ControlError(
      'A text is not JSON, as the contract has it: add unchecked to send it nevertheless.',
    )
  }
  checkSchema(target, status, body)
  return { status, body, ...headers }
}

/** The content, where an object that is given as the text of its JSON is meant as that object. */
function contentOf({ body, text }: CustomResponse, isJson: boolean): Pick<CustomResponse, 'body' | 'text'> {
  if (typeof body === 'string') return { body: objectIn(body) ?? body, text }
  const object = isJson && body === undefined && text !== undefined ? objectIn(text) : undefined
  return object === undefined ? { body: copyOf(body), text } : { body: object }
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value ? value : undefined
  } catch {
    return undefined
  }
}

/** The headers that belong to the connection, and to the cookies of the mock. */
const ofConnection = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'set-cookie',
  'transfer-encoding',
])

/** @returns the headers by their names in lower case. @throws ControlError for one that cannot be sent */
function checkedHeaders(given: CustomResponse['headers']): Pick<CustomResponse, 'headers'> {
  if (given === undefined) return {}
  const headers = Object.entries(given).map(([name, value]) => {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t -~\u0080-\u00FF]*$/.test(value)) {
      throw notHeader(`${name}: ${value}`)
    }
    if (ofConnection.has(name.toLowerCase()))
      throw new ControlError(`The mock itself sets the header ${name}.`)
    return [name.toLowerCase(), value]
  })
  return headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}
}

function checkSchema(name: OperationName, status: number, body: unknown): void {
  const schema = responseSchema(name, status)
  if (!schema) {
    const possible = statusesOf(name).map(String)
    throw new ControlError(
      `${name} has no response with status ${status}: add unchecked, or choose another.`,
      possible,
    )
  }
  const { error } = schema.safeParse(body)
  if (!error) return
  const issues = error.issues.map(({ path, message }) => `${pathOf(path) || 'the body'}: ${message}`)
  const more = issues.length > maxIssues ? [`and ${issues.length - maxIssues} more`] : []
  throw new ControlError(
    `The contract has another body for status ${status} of ${name}; unchecked sends it nevertheless. ` +
      [...issues.slice(0, maxIssues), ...more].join('; '),
  )
}

/**
 * The value after a round trip through JSON; undefined if JSON has no such value. @throws ControlError if it is circular or
 * too deep
 */
function copyOf(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch (error) {
    throw new ControlError(`The body cannot be written as JSON: ${(error as Error).message}`)
  }
}

function checkSendable(status: number, isEmpty: boolean): void {
  const isBodiless = status === 204 || status === 205 || status === 304
  if (isStatus(status) && (isEmpty || !isBodiless)) return
  throw new ControlError(`A response with a body cannot have status ${status}: give one from 200 to 599.`)
}

export function customReply(response: CustomResponse): MockReply {
  const { status = 200, body, text, contentType, unchecked, headers: own } = response
  const { headers: common } =
    status === 429 || status === 503
      ? operationalReply(status === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE')
      : successReply(status, text ?? body)
  if (text !== undefined && !unchecked) {
    const type = { 'content-type': contentType ?? 'text/plain; charset=utf-8' }
    return { status, headers: { ...common, ...type, ...own }, body: text }
  }
  const headers = { ...common, ...own }
  return { status, headers, body: text ?? JSON.stringify(body) ?? null }
}

/** The reply for a forced status of a target without a contract. */
export const statusReply = (status: number): MockReply =>
  customReply(
    status < 400 ? { status } : { status, body: { error: `Status ${status} is forced by the mock.` } },
  )
