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
import { shown } from '../../contract/shown.js'
import { fail } from '../../handlers/handler.js'
import { readBody } from '../../handlers/read-body.js'
import { failureReply, operationalReply, type Reply } from '../../handlers/reply.js'
import { ControlError } from '../state/control-error.js'
import { isOperation, type TargetName } from './target-name.js'

/** Outcomes without a response: the connection breaks, or stays open until the client gives up. */
const faults = ['drop', 'hang'] as const

export type Fault = (typeof faults)[number]
/** An outcome that can be forced: for an operation one of its codes, for other targets a status. */
export type Outcome = OperationOutcome | number
export type OperationOutcome = ErrorCode | Fault
/** The outcomes that can be forced on one operation, as `outcomesOf` lists them. */
export type OutcomeOf<Name extends OperationName> = CodeOf<Name> | OperationalCodeOf<Name> | Fault
/** The outcomes of other targets: a status from 200 to 599, or a fault. */
export type HandlerOutcome = number | Fault

/** The statuses that interfaces offer. Any other is accepted. */
const offeredStatuses = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503]

export const outcomesOf = (target: TargetName): Outcome[] =>
  isOperation(target)
    ? [...operations[target].errors, ...operationalCodesOf(operations[target]), ...faults]
    : [...offeredStatuses, ...faults]

export const isFault = (outcome: Outcome): outcome is Fault =>
  (faults as readonly Outcome[]).includes(outcome)

/**
 * Finds an outcome by its name or status. A status means the operation's first code with that status.
 * @param advice said of an operation that has none, before the possible outcomes
 * @throws ControlError with the possible outcomes, if there is none
 */
export function outcomeNamed(target: TargetName, wanted: string | number, advice = ''): Outcome {
  if (isOperation(target)) return findOutcome(outcomesOf(target), wanted, target, advice)
  if (isFault(wanted as Outcome)) return wanted as Fault
  const status = Number(isCode(wanted) ? errors[wanted].status : wanted)
  if (isStatus(status)) return status
  throw new ControlError(`${target} cannot answer ${wordOf(wanted)}.`, [
    'a status from 200 to 599',
    ...faults,
  ])
}

/** Finds one of these outcomes as `outcomeNamed` does. @param who the owner of the outcomes, for the error */
export function findOutcome(
  possible: readonly Outcome[],
  wanted: string | number,
  who: string,
  advice = '',
): Outcome {
  const found =
    possible.find((outcome) => outcome === wanted) ??
    possible.find((outcome) => isCode(outcome) && String(errors[outcome].status) === String(wanted))
  if (found) return found
  throw new ControlError(`${who} cannot answer ${wordOf(wanted)}.${advice}`, possible.map(String))
}

/** An outcome as it was given. That of a call in JavaScript may be any value. */
const wordOf = (wanted: unknown): string => (typeof wanted === 'string' ? wanted : shown(wanted))

const isCode = (outcome: unknown): outcome is ErrorCode => typeof outcome === 'string' && outcome in errors

export const isStatus = (status: number): boolean =>
  Number.isInteger(status) && status >= 200 && status <= 599

/** Builds the reply of an operation with a code, as the pipeline does. */
export async function forcedReply(name: OperationName, code: ErrorCode): Promise<Reply> {
  const operation: Operation = operations[name]
  if (code in operationalErrors) return operationalReply(code as OperationalErrorCode)
  return failureReply(operation, failureOf(operation, code as InterfaceErrorCode))
}

function failureOf(operation: Operation, code: InterfaceErrorCode) {
  const { body } = operation
  if (code !== 'VALIDATION_FAILED' || !body) return fail(code)
  // Validates an empty form, so that the schema itself provides the details.
  const shape = Object.keys((body.schema as { shape?: object }).shape ?? {})
  const empty = JSON.stringify(Object.fromEntries(shape.map((field) => [field, ''])))
  const read = readBody({ contentType: 'application/json', body: new TextEncoder().encode(empty) }, body)
  return 'failed' in read ? read : fail(code)
}
