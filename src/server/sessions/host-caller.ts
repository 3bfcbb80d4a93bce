import type { User } from '../../contract/schemas.js'

/** A caller whom the surrounding application has signed in. */
export type HostSession = {
  user: User
  /** Absent, null or blank for a caller without an organisation. */
  orgCode?: string | null
  permissions: readonly string[]
  /** Identifies the session in the audit log and for the limit of pending requests. Default: the id of the user. */
  id?: string
}
