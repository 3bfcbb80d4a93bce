import { DatabaseRefusedError, DriverMissingError } from '../database-refused.js'
import { StoreUnavailableError } from '../store.js'

/**
 * SQLSTATEs of conditions that may end by themselves or by an operator: a lost connection, no resources, a full disk, a
 * time-out (25P03 or 25P04 for a long transaction), a shutdown, a standby (25006, or 0A000 for an unlogged table), a
 * deadlock, a plan that a migration invalidated (0A000); and a login, database, table (42P01, during a restore), replica identity
 * (55000) or right that an operator has to fix.
 */
const temporaryConditions = /^(08|28|40|53|57|58|0A000|25006|25P0[34]|3D000|42501|42P01|55000|55P03|XX)/

/** Another process removed the referenced record. */
const removedReference = '23503'

/** Faults that only an operator can end: a retry would fail again. */
const refusals: Record<string, string> = {
  '28P01': 'Check the password: PGPASSWORD, PGPASSFILE, or the file of DASHBOARD_API_DATABASE_PASSWORD_FILE.',
  '28000':
    'Check that the role exists (CREATE ROLE USER LOGIN) and that pg_hba.conf allows it from this host, or add sslmode=verify-full to the address.',
  '3D000': 'Create it, for example with: createdb NAME',
  '3F000': 'Let the search_path of the user name a schema that exists: ALTER ROLE USER RESET search_path.',
  '42501':
    'Give the user the right to create and use tables: GRANT CREATE, USAGE ON SCHEMA public TO USER; where they exist: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO USER.',
}

const certificateFault = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/

/** `remedy`: a better one than that of its code. */
type DriverError = Error & { code?: string; severity?: string; errors?: Error[]; remedy?: string }

/** The connection was lost during a statement, which may have had an effect. */
export class ConnectionLostError extends StoreUnavailableError {}

/** For a name with several addresses Node reports all of their errors. */
const reasonOf = (error: unknown): string => {
  const { code = '', message, errors } = error as DriverError
  return message || errors?.map((each) => each.message).join('; ') || code
}

/** Whether the server sent the error, so that the connection still works. */
const isAnswer = (error: DriverError): boolean => error.severity !== undefined

/** Whether an error ends the use of a connection: it is lost, stuck, outdated, or leads to a standby. */
export function endsConnection(error: unknown): boolean {
  const { code = '' } = error as DriverError
  return !isAnswer(error as DriverError) || /^(57P|0A000|25006|25P0[34]|08|58|XX)/.test(code)
}

/** Whether a transaction failed because of others (a deadlock, an unavailable lock), so that it may run again. */
export function isConflict(error: unknown): boolean {
  const cause = (error as Error).cause as DriverError | undefined
  return /^(40001|40P01|55P03)$/.test(cause?.code ?? '')
}

/** Whether a statement waited too long for a lock of another transaction (lock_not_available). */
export const isLockTimeout = (error: unknown): boolean =>
  ((error as Error).cause as DriverError | undefined)?.code === '55P03'

/**
 * Whether the server answered a statement with an error, so that the transaction had no effect. The rows of one team may be the cause,
 * except for a shutdown or a lost connection.
 */
export const isOfStatement = (error: unknown): boolean => {
  const cause = ((error as Error).cause ?? error) as DriverError
  return isAnswer(cause) && !/^(08|57P)/.test(cause.code ?? '')
}

/**
 * Maps an error of the driver to a StoreUnavailableError if it is temporary, and returns any other unchanged.
 * @param isLate whether a statement exceeded its time limit: a retry on another connection would take as long
 */
export function databaseError(database: string, error: unknown, isLate = false): Error {
  const { code = '' } = error as DriverError
  if (error instanceof StoreUnavailableError || error instanceof DatabaseRefusedError) return error
  if (error instanceof DriverMissingError) return error
  if (code === removedReference) {
    return new StoreUnavailableError('What the record belongs to was removed meanwhile', { cause: error })
  }
  if (isAnswer(error as DriverError) && !temporaryConditions.test(code)) return error as Error
  const reason = reasonOf(error)
  const UnavailableError = endsConnection(error) && !isLate ? ConnectionLostError : StoreUnavailableError
  return new UnavailableError(`The database ${database} cannot be used for now (${reason})`, { cause: error })
}

/**
 * Maps an error of connecting. No statement is at fault, so every answer of the server counts as temporary.
 * @param state the state of the pool: the driver has one message for a full pool and for an unreachable server
 */
export function connectingError(database: string, error: unknown, state: string): Error {
  const reason = isAnswer(error as DriverError) ? reasonOf(error) : `${reasonOf(error)}; ${state}`
  return new StoreUnavailableError(`The database ${database} cannot be used for now (${reason})`, {
    cause: error,
  })
}

/** Maps an error of opening the database. A fault that an operator has to fix becomes a DatabaseRefusedError. */
export function openingError(database: string, error: unknown): Error {
  const cause = (error as Error).cause ?? error
  const { code = '', message, remedy = refusals[code] } = cause as DriverError
  const hint = certificateFault.test(code)
    ? 'Check sslmode and sslrootcert, and that the certificate is for this host.'
    : remedy
  if (hint === undefined) return databaseError(database, error)
  return new DatabaseRefusedError(database, message, hint, cause)
}
