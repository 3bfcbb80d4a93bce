import type { errors, OperationalErrorCode } from '../contract/errors.js'
import type { CodeOf, OperationName, Operations, SuccessOf } from '../contract/operations.js'
import type { ErrorBody, ValidationErrorBody } from '../contract/schemas.js'

// The responses of an operation as a union discriminated by `status`, inferred from the operations table.

type StatusOf<Code extends keyof typeof errors> = (typeof errors)[Code]['status']
type BodyFaultStatus<Name extends OperationName> = Operations[Name] extends { body: { faults: infer Faults } }
  ? Faults[keyof Faults]
  : never

type Success<Name extends OperationName> = {
  ok: true
  status: Operations[Name]['success']['status']
  body: SuccessOf<Name>
}

type CodedFailure<Status, Code> = Status extends 422
  ? { ok: false; status: 422; body: ValidationErrorBody & { code: Code } }
  : { ok: false; status: Status; body: ErrorBody & { code: Code } }

type FullFailure<Name extends OperationName, Code = CodeOf<Name>> = Code extends 'VALIDATION_FAILED'
  ? CodedFailure<BodyFaultStatus<Name>, Code>
  : Code extends keyof typeof errors
    ? CodedFailure<StatusOf<Code>, Code>
    : never

type ShortFailure<Name extends OperationName> = {
  ok: false
  status: StatusOf<Exclude<CodeOf<Name>, 'VALIDATION_FAILED'> | OperationalErrorCode> | BodyFaultStatus<Name>
  body: { error: string }
}

type OperationalFailure<Code = OperationalErrorCode> = Code extends OperationalErrorCode
  ? { ok: false; status: StatusOf<Code>; body: ErrorBody & { code: Code } }
  : never

/**
 * The response of an operation. Checking `status` (or `ok`) narrows the type of the body: `project` for 201,
 * `details.fieldErrors` for 422, `code` for 409. Errors of the session and the waitlist operation have `error` alone.
 */
export type Result<Name extends OperationName> =
  | Success<Name>
  | (Operations[Name]['errorForm'] extends 'short'
      ? ShortFailure<Name>
      : FullFailure<Name> | OperationalFailure)
