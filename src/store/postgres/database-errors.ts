import { DatabaseRefusedError, DriverMissingError } from '../database-refused.js'
import { StoreUnavailableError } from '../store.js'

/**
 * The conditions of PostgreSQL (SQLSTATE) that may end by themselves or by an operator's action: a lost connection, no
 * resources, a full disk, a time-out (25P03 or 25P04 for a transaction that takes too long), a shutdown, a standby
 * (25006, or 0A000 for an unlogged table), a deadlock, a plan that a migration made invalid (0A000); and a login, a
 * database, a table (42P01, while a dump is restored) or a right that an operator has to fix.
 */
const temporaryConditions = /^(08|28|40|53|57|58|0A000|25006|25P0[34]|3D000|42501|42P01|55P03|XX)/

/** The record that another one refers to was removed by another process. */
const removedReference = '23503'

/** The faults that trying again at once does not end: an operator has to change something. */
const refusals: Record<string, string> = {
  '28P01': 'Check the password: PGPASSWORD, PGPASSFILE, or the file of DASHBOARD_API_DATABASE_PASSWORD_FILE.',
  '28000': 'Allow this user and host in pg_hba.conf, or choose another user or sslmode.',
  '3D000': 'Create it, for example with: createdb NAME',
  '3F000': 'Let the search_path of the user name a schema that exists: ALTER ROLE USER RESET search_path.',
  '42501': 'Give the user the right to create and use tables: GRANT CREATE, USAGE ON SCHEMA public TO USER.',
}

/** The faults of a certificate that was not accepted. */
const certificateFault = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/

/** The faults of a pooler, by their messages: they have one code, that of a lost connection. */
const poolerRefusals: [RegExp, string | undefined][] = [
  [/statement pooling mode/, 'Set pool_mode to transaction or session in PgBouncer.'],
  [/^(SASL|password) authentication failed/, refusals['28P01']],
  [
    /^(no such (user|database)|database ".*" does not exist)/,
    'Create it, and name it in the settings of PgBouncer.',
  ],
]

/** What the driver says of a statement that did not end in time. */
const timeoutMessage = 'Query read timeout'

type DriverError = Error & { code?: string; severity?: string; errors?: Error[] }

/** The connection was lost while a statement ran, so that it is not known whether the statement had an effect. */
export class ConnectionLostError extends StoreUnavailableError {}

/** Whether the server answered with the error: the connection goes on. */
const isAnswer = (error: DriverError): boolean => error.severity !== undefined

/** Whether a connection cannot be used any more after an error: it is lost, stuck, outdated, or leads to a standby. */
export function endsConnection(error: unknown): boolean {
  const { code = '' } = error as DriverError
  return !isAnswer(error as DriverError) || /^(57P|0A000|25006|25P0[34]|08|58|XX)/.test(code)
}

/** Whether a transaction failed only because of others (a deadlock, a lock that was not free), so that it may run again. */
export function isConflict(error: unknown): boolean {
  const cause = (error as Error).cause as DriverError | undefined
  return /^(40001|40P01|55P03)$/.test(cause?.code ?? '')
}

/** Whether a statement waited too long for a lock of another transaction (lock_not_available). */
export const isLockTimeout = (error: unknown): boolean =>
  ((error as Error).cause as DriverError | undefined)?.code === '55P03'

/** Maps an error of the driver to a StoreUnavailableError if it is temporary, and returns any other as it is. */
export function databaseError(database: string, error: unknown): Error {
  const { code = '', message, errors } = error as DriverError
  if (error instanceof StoreUnavailableError || error instanceof DatabaseRefusedError) return error
  if (error instanceof DriverMissingError) return error
  if (code === removedReference) {
    return new StoreUnavailableError('What the record belongs to was removed meanwhile', { cause: error })
  }
  if (isAnswer(error as DriverError) && !temporaryConditions.test(code)) return error as Error
  // For a name with several addresses Node reports all of their errors.
  const reason = message || errors?.map((each) => each.message).join('; ') || code
  const isLost = endsConnection(error) && message !== timeoutMessage
  const UnavailableError = isLost ? ConnectionLostError : StoreUnavailableError
  return new UnavailableError(`The database ${database} cannot be used for now (${reason})`, { cause: error })
}

/** The same while connecting: no statement is at fault, so that every answer of the server may change. */
export function connectingError(database: string, error: unknown): Error {
  const mapped = databaseError(database, error)
  if (mapped !== error || !isAnswer(mapped)) return mapped
  return new StoreUnavailableError(`The database ${database} cannot be used for now (${mapped.message})`, {
    cause: error,
  })
}

/** The same while the database is opened: what an operator has to change is a DatabaseRefusedError. */
export function openingError(database: string, error: unknown): Error {
  const cause = (error as Error).cause ?? error
  const { code = '', message } = cause as DriverError
  let hint = refusals[code] ?? poolerRefusals.find(([pattern]) => pattern.test(message))?.[1]
  if (certificateFault.test(code)) {
    hint = 'Check sslmode and sslrootcert, and that the certificate is for this host.'
  }
  if (hint === undefined) return databaseError(database, error)
  return new DatabaseRefusedError(database, message, hint, cause)
}
