import * as z from 'zod'
import type { InterfaceErrorCode } from '../contract/errors.js'
import type { ExceededLimit, TeamLimits } from '../contract/limits.js'
import { limitMessage } from '../contract/messages.js'
import type {
  BodyOf,
  CodeOf,
  OperationName,
  Operations,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '../contract/operations.js'
import type { User, ValidationDetails } from '../contract/schemas.js'
import type { Origin } from '../store/audit-log.js'
import type { Team } from '../store/state-file.js'
import type { OperationStore } from '../store/store.js'

/** A caller with a session, section 5. */
export type Session = {
  id: string
  user: User
  /** Absent if the caller has no organisation. */
  orgCode?: string
  /** The team of the organisation code, section 5.2, if there is one. */
  team?: Team
  /** The version of the team, see `FoundCaller` of the store. Without it no reply is cached. */
  teamVersion?: string
  permissions: readonly string[]
  /** Set only by the mock: the session bundle then has `devMode` and `role` (section 2.2). */
  mock?: { role: string }
}

/** An expected failure. Bugs are thrown. */
export type Failure<Code extends InterfaceErrorCode = InterfaceErrorCode> = {
  failed: Code
  /** Replaces the status of the catalogue. */
  status?: number
  /** Replaces the message of the code. */
  message?: string
  /** For VALIDATION_FAILED: the faults by field (section 2.5). */
  details?: ValidationDetails | null
}

export const fail = <Code extends InterfaceErrorCode>(
  code: Code,
  more: Omit<Failure, 'failed'> = {},
): Failure<Code> => ({ failed: code, ...more })

/** The failure of a write with which the team would exceed a limit. */
export const exceedsTeam = (exceeded: ExceededLimit, limits: TeamLimits): Failure<'VALIDATION_FAILED'> =>
  fail('VALIDATION_FAILED', {
    details: { formErrors: [limitMessage(exceeded, limits[exceeded])], fieldErrors: {} },
  })

/** Details of VALIDATION_FAILED, section 2.5. */
export const detailsOf = (error: z.ZodError): ValidationDetails =>
  z.flattenError(error) as { formErrors: string[]; fieldErrors: Record<string, string[]> }

/** A body, and the version of the team in the same statement. A response is cached under this version. */
export type Versioned<Body> = { versioned: Body; version: string | undefined }

/** The guarantees of each `access` about the caller. */
type CallerOf = {
  public: { session?: undefined; team?: undefined }
  session: { session: Session; team: Team | undefined }
  team: { session: Session; team: Team }
}

/** The arguments of a handler. */
export type Context<Name extends OperationName> = CallerOf[Operations[Name]['access']] & {
  params: ParamsOf<Name>
  query: QueryOf<Name>
  body: BodyOf<Name>
  store: OperationStore
  /** The origin of a change, for the audit log. */
  by?: Origin
  limits: TeamLimits
  now(): Date
  newId(): string
}

/** The body of a success. A cacheable response also has its version. */
type Success<Name extends OperationName> = Operations[Name] extends { cache: string }
  ? Versioned<SuccessOf<Name>>
  : SuccessOf<Name>

/** An operation: takes plain values, returns the body of its success or a failure that it declares. */
export type Handler<Name extends OperationName> = (
  context: Context<Name>,
) => Promise<Success<Name> | Failure<CodeOf<Name>>>
