import {
  type ErrorCode,
  errors,
  type InterfaceErrorCode,
  type OperationalErrorCode,
  operationalErrors,
} from '../../contract/errors.js'
import {
  type CodeOf,
  type Operation,
  type OperationalCodeOf,
  type OperationName,
  operationalCodesOf,
  operations,
} from '../../contract/operations.js'
import { fail } from '../../handlers/handler.js'
import { readBody } from '../../handlers/read-body.js'
import { failureReply, operationalReply, type Reply } from '../../handlers/reply.js'
import { ControlError } from './control-error.js'

/** Outcomes without a response: the connection breaks, or stays open until the client gives up. */
const faults = ['drop', 'hang'] as const

export type Fault = (typeof faults)[number]
/** What can be forced in place of an operation's own reply. */
export type Outcome = ErrorCode | Fault
/** The outcomes that can be forced on one operation, as `outcomesOf` lists them. */
export type OutcomeOf<Name extends OperationName> = CodeOf<Name> | OperationalCodeOf<Name> | Fault

/** The outcomes that can be forced on an operation. */
export const outcomesOf = (name: OperationName): Outcome[] => [
  ...operations[name].errors,
  ...operationalCodesOf(operations[name]),
  ...faults,
]

export const isFault = (outcome: Outcome): outcome is Fault => (faults as readonly string[]).includes(outcome)

/**
 * Finds an outcome by its name, or by a status, which stands for the operation's first code with that status.
 * @throws ControlError that lists the possible outcomes, if this one is not among them
 */
export function outcomeNamed(name: OperationName, wanted: string): Outcome {
  return findOutcome(outcomesOf(name), wanted, name)
}

/** Finds one of these outcomes as `outcomeNamed` does. @param who has the outcomes, for the error */
export function findOutcome(possible: readonly Outcome[], wanted: string, who: string): Outcome {
  const found =
    possible.find((outcome) => outcome === wanted) ??
    possible.find((outcome) => !isFault(outcome) && String(errors[outcome].status) === wanted)
  if (found) return found
  throw new ControlError(`${who} cannot answer ${wanted}.`, possible)
}

/** Builds the reply with which an operation answers a code, as the pipeline does. */
export async function forcedReply(name: OperationName, code: ErrorCode): Promise<Reply> {
  const operation: Operation = operations[name]
  if (isOperational(code)) return operationalReply(code)
  return failureReply(operation, await failureOf(operation, code))
}

const isOperational = (code: ErrorCode): code is OperationalErrorCode => code in operationalErrors

async function failureOf(operation: Operation, code: InterfaceErrorCode) {
  const { body } = operation
  if (code !== 'VALIDATION_FAILED' || !body) return fail(code)
  // Validates an empty form, so that the schema itself provides the details.
  const shape = Object.keys((body.schema as { shape?: object }).shape ?? {})
  const empty = JSON.stringify(Object.fromEntries(shape.map((field) => [field, ''])))
  const bytes = async () => new TextEncoder().encode(empty)
  const read = await readBody({ contentType: 'application/json', bytes }, body)
  return 'failed' in read ? read : fail(code)
}
