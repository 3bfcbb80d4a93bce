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
  /** Absent: the caller has no organisation. */
  orgCode?: string
  /** The team that the organisation code resolves to, section 5.2; absent where it resolves to none. */
  team?: Team
  /** The version of the team, see `FoundCaller` of the store. Undefined: no reply is cached. */
  teamVersion?: string
  permissions: readonly string[]
  /** Set only in the mock: `devMode` and `role` are then part of the session bundle (section 2.2). */
  mock?: { role: string }
}

/** An expected failure. Bugs are thrown instead. */
export type Failure<Code extends InterfaceErrorCode = InterfaceErrorCode> = {
  failed: Code
  /** Instead of the status of the catalogue. */
  status?: number
  /** Instead of `messageOf` the code. */
  message?: string
  /** Of VALIDATION_FAILED: the faults by field (section 2.5). */
  details?: ValidationDetails | null
}

export const fail = <Code extends InterfaceErrorCode>(
  code: Code,
  more: Omit<Failure, 'failed'> = {},
): Failure<Code> => ({ failed: code, ...more })

/** A write with which the team would exceed a limit. */
export const exceedsTeam = (exceeded: ExceededLimit, limits: TeamLimits): Failure<'VALIDATION_FAILED'> =>
  fail('VALIDATION_FAILED', {
    details: { formErrors: [limitMessage(exceeded, limits[exceeded])], fieldErrors: {} },
  })

/** Details of VALIDATION_FAILED, section 2.5. */
export const detailsOf = (error: z.ZodError): ValidationDetails =>
  z.flattenError(error) as { formErrors: string[]; fieldErrors: Record<string, string[]> }

/** A body, and the version of the team in the statement that it was read by: what a response is cached under. */
export type Versioned<Body> = { versioned: Body; version: string | undefined }

/** What the checks of each `access` guarantee about the caller. */
type CallerOf = {
  public: { session?: undefined; team?: undefined }
  session: { session: Session; team: Team | undefined }
  team: { session: Session; team: Team }
}

/** Everything that a handler may use. */
export type Context<Name extends OperationName> = CallerOf[Operations[Name]['access']] & {
  params: ParamsOf<Name>
  query: QueryOf<Name>
  body: BodyOf<Name>
  store: OperationStore
  /** Who makes a change, for the audit log. */
  by?: Origin
  /** What a team may hold. */
  limits: TeamLimits
  now(): Date
  newId(): string
}

/** The body of a success; with its version, where the operation's entry says that the response may be cached. */
type Success<Name extends OperationName> = Operations[Name] extends { cache: string }
  ? Versioned<SuccessOf<Name>>
  : SuccessOf<Name>

/** One operation: takes plain values, returns the body of its success or a failure that it declares. */
export type Handler<Name extends OperationName> = (
  context: Context<Name>,
) => Promise<Success<Name> | Failure<CodeOf<Name>>>
