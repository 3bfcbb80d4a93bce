import type { errors } from '../contract/errors.js'
import type {
  CodeOf,
  InputOf,
  OperationalCodeOf,
  OperationName,
  Operations,
  QueryInputOf,
  SuccessOf,
} from '../contract/operations.js'
import type { ErrorBody } from '../contract/schemas.js'

// The responses of an operation as a union discriminated by `status`, inferred from the operations table.

type StatusOf<Code extends keyof typeof errors> = (typeof errors)[Code]['status']
type BodyFaultStatus<Name extends OperationName> = Operations[Name] extends { body: { faults: infer Faults } }
  ? Faults[keyof Faults]
  : Operations[Name] extends { query: unknown }
    ? 422
    : never

type Success<Name extends OperationName> = {
  ok: true
  status: Operations[Name]['success']['status']
  body: SuccessOf<Name>
}

/** Section 2.5, with the fields of the operation's request body. */
export type ValidationDetails<Field extends PropertyKey = string> = {
  formErrors: string[]
  fieldErrors: { [Name in Field]?: string[] }
}

type FailureBody<Name extends OperationName, Status, Code> = Operations[Name]['errorForm'] extends 'short'
  ? { error: string }
  : ErrorBody & { code: Code } & (Status extends 422
        ? { details: ValidationDetails<keyof InputOf<Name> | keyof QueryInputOf<Name>> | null }
        : unknown)

/** A failure for each status. `code` comes from the body, or for a short body (section 7) from the status. */
type Failure<Name extends OperationName, Status, Code> = Status extends number
  ? {
      ok: false
      status: Status
      code: Code
      body: FailureBody<Name, Status, Code>
      /** The value of the Retry-After header, in seconds. */
      retryAfter?: number
    }
  : never

type FailureWith<Name extends OperationName, Code> = Code extends 'VALIDATION_FAILED'
  ? Failure<Name, BodyFaultStatus<Name>, Code>
  : Code extends keyof typeof errors
    ? Failure<Name, StatusOf<Code>, Code>
    : never

/**
 * The response of an operation. Checking `status` (or `ok`) narrows the type of the body: `project` for 201,
 * `details.fieldErrors` for 422, `code` for 409. Errors of the session and the waitlist operation have only `error`.
 */
export type Result<Name extends OperationName> =
  | Success<Name>
  | FailureWith<Name, CodeOf<Name> | OperationalCodeOf<Name>>
