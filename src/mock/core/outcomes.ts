import {
  type ErrorCode,
  errors,
  type InterfaceErrorCode,
  type OperationalErrorCode,
  operationalErrors,
} from '../../contract/errors.js'
import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import { fail, lacksPermission } from '../../handlers/handler.js'
import { readBody } from '../../handlers/read-body.js'
import { type DocsUrl, failureReply, operationalReply, type Reply } from '../../handlers/reply.js'
import { ControlError } from './control-error.js'

/** What any operation may meet, beside the codes that it declares; the others are of no operation. */
const operational = (Object.keys(operationalErrors) as OperationalErrorCode[]).filter(
  (code) => code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED',
)
/** No answer: the connection is cut, or nothing comes until the client gives up. */
const faults = ['drop', 'hang'] as const

export type Fault = (typeof faults)[number]
/** What can be made to happen instead of the operation's own answer. */
export type Outcome = ErrorCode | Fault

/** The outcomes that an operation can be made to have. */
export const outcomesOf = (name: OperationName): Outcome[] => [
  ...operations[name].errors,
  ...operational,
  ...faults,
]

export const isFault = (outcome: Outcome): outcome is Fault => (faults as readonly string[]).includes(outcome)

/**
 * The outcome that is meant: by its name, or by a status, which stands for the operation's first code that has it.
 * @throws ControlError with the outcomes that the operation can have, where it cannot have this one
 */
export function outcomeNamed(name: OperationName, wanted: string): Outcome {
  const possible = outcomesOf(name)
  const found =
    possible.find((outcome) => outcome === wanted) ??
    possible.find((outcome) => !isFault(outcome) && String(errors[outcome].status) === wanted)
  if (found) return found
  throw new ControlError(`${name} cannot answer ${wanted}.`, possible)
}

/** The answer that an operation gives with a code, as its pipeline would build it. */
export async function forcedReply(name: OperationName, code: ErrorCode, docsUrl: DocsUrl): Promise<Reply> {
  const operation: Operation = operations[name]
  if (isOperational(code)) return operationalReply(code, docsUrl)
  return failureReply(operation, await failureOf(operation, code), docsUrl)
}

const isOperational = (code: ErrorCode): code is OperationalErrorCode => code in operationalErrors

async function failureOf(operation: Operation, code: InterfaceErrorCode) {
  const { body, permission } = operation
  if (code === 'INSUFFICIENT_PERMISSIONS' && permission) return lacksPermission(permission)
  if (code !== 'VALIDATION_FAILED' || !body) return fail(code)
  // A form that was sent with nothing filled in: the schema itself says what is wrong with it.
  const shape = Object.keys((body.schema as { shape?: object }).shape ?? {})
  const empty = JSON.stringify(Object.fromEntries(shape.map((field) => [field, ''])))
  const bytes = async () => new TextEncoder().encode(empty)
  const read = await readBody({ contentType: 'application/json', bytes }, body)
  return 'failed' in read ? read : fail(code)
}
