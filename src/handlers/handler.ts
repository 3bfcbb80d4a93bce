import type { InterfaceErrorCode } from '../contract/errors.js'
import type {
  BodyOf,
  CodeOf,
  OperationName,
  Operations,
  ParamsOf,
  SuccessOf,
} from '../contract/operations.js'
import type { User, ValidationDetails } from '../contract/schemas.js'
import type { Team } from '../store/state-file.js'
import type { Store } from '../store/store.js'

/** A caller with a session, section 5. */
export type Session = {
  id: string
  user: User
  /** Absent: the caller has no organisation. */
  orgCode?: string
  /** The team that the organisation code resolves to, section 5.2; absent where it resolves to none. */
  team?: Team
  permissions: readonly string[]
  /** Set by the mock's composition alone; it is what makes `devMode` and `role` appear (section 2.2). */
  mock?: { role: string }
}

/** An expected failure. Bugs are thrown instead. */
export type Failure<Code extends InterfaceErrorCode = InterfaceErrorCode> = {
  failed: Code
  /** Where another status than the catalogue's answers this code. */
  status?: number
  /** Where the message can say more than the catalogue's. */
  message?: string
  /** Of VALIDATION_FAILED: what is wrong where (section 2.5). */
  details?: ValidationDetails | null
}

export const fail = <Code extends InterfaceErrorCode>(
  code: Code,
  more: Omit<Failure, 'failed'> = {},
): Failure<Code> => ({ failed: code, ...more })

export const lacksPermission = (permission: string): Failure<'INSUFFICIENT_PERMISSIONS'> =>
  fail('INSUFFICIENT_PERMISSIONS', { message: `This needs the permission "${permission}".` })

/** What a caller is known to be once the checks of `access` have passed. */
type Caller = {
  public: { session?: undefined; team?: undefined }
  session: { session: Session; team: Team | undefined }
  team: { session: Session; team: Team }
}

/** All that a handler may use. */
export type Context<Name extends OperationName> = Caller[Operations[Name]['access']] & {
  params: ParamsOf<Name>
  body: BodyOf<Name>
  store: Store
  now(): Date
  newId(): string
}

/** One operation: plain values in, the body of its success or a failure that it declares out. */
export type Handler<Name extends OperationName> = (
  context: Context<Name>,
) => Promise<SuccessOf<Name> | Failure<CodeOf<Name>>>
