import { ControlError } from '../mock/state/control-error.js'
import { NoMockError } from '../mock/surfaces/control-client.js'
import { unknownVariables } from '../server/settings/setting-warnings.js'
import { SettingsError } from '../server/settings/settings.js'
import { DatabaseRefusedError, DriverMissingError } from '../store/database-refused.js'
import { StoreUnavailableError } from '../store/store.js'
import { mockUrl } from './options.js'
import { Failure, UserError } from './user-error.js'

/** Advice about an error of a setting, a database, a mock or a port; undefined for any other error, a bug. */
export function explainError(error: unknown): UserError | undefined {
  if (error instanceof SettingsError) {
    const faults = [error.message, ...unknownVariables(process.env)].join('\n')
    return new UserError(
      `These settings were refused:\n${faults.replace(/^/gm, '  ')}`,
      error.hint ?? '"npx dashboard-api serve --help" lists all settings.',
    )
  }
  if (error instanceof DatabaseRefusedError || error instanceof DriverMissingError) {
    return new UserError(error.message)
  }
  if (error instanceof StoreUnavailableError) {
    const { code = '' } = Object(error.cause)
    return new Failure(error.message, databaseHints.find(([codes]) => codes.test(code))?.[1])
  }
  if (error instanceof NoMockError) {
    const hint = `Start one with "npx dashboard-api dev", or pass the address of a running one with --url or in ${mockUrl.env}.`
    return new Failure(error.message, error.found === 'silence' ? undefined : hint)
  }
  if (error instanceof ControlError) {
    // 412: an expectation that was not met.
    return error.status >= 500 || error.status === 412
      ? new Failure(error.message)
      : new UserError(error.message)
  }
  return listenFailure(Object(error))
}

/** Advice about the errors of SQLite and PostgreSQL, by their codes. */
const databaseHints: [codes: RegExp, hint: string][] = [
  [
    /^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/,
    'Its disk is full, or a quota is used up: free some space, then try again.',
  ],
  // On a full disk SQLite cannot make the file of shared memory either, and reports an I/O error.
  [
    /^SQLITE_(READONLY|CANTOPEN|IOERR)$/,
    'Check whether its disk is full or damaged, and the rights of this user.',
  ],
  [/^LOG_IN_USE$/, 'Run "npx dashboard-api database vacuum" later: it empties the log, too.'],
  [/^SQLITE_/, 'Another connection has locked it: try again.'],
  [
    /^08P01$/,
    'The server refused the connection. Of PgBouncer, check pool_mode (transaction or session), and that it knows this database, user and password.',
  ],
  [/^(42501|25006)$/, 'Check the rights of its user, and whether the server or the database is read-only.'],
  [
    /^/,
    'Check that the server runs and can be reached, how many connections it allows, and that it offers TLS if the address has sslmode (without TLS: sslmode=disable).',
  ],
]

/** Why a server cannot listen, and what to do. */
function listenFailure({ code, syscall, address, hostname, port }: ListenError): Failure | undefined {
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  if (code === 'EADDRINUSE') {
    const hint = 'Stop the process that uses it, or choose another --port.'
    return new Failure(`Port ${port} of ${address} is taken.`, hint)
  }
  if (code === 'EACCES') {
    const hint = Number(port) < 1024 ? 'Choose a --port of 1024 or more.' : 'Choose another --port.'
    return new Failure(`The system does not permit listening on ${address}:${port}.`, hint)
  }
  const hint = 'Choose another --host, e.g. 127.0.0.1.'
  const name = hostname ?? address
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
    ? new Failure(`This machine has no address "${name}".`, hint)
    : new Failure(`Cannot listen on ${name} (${code}).`, hint)
}

type ListenError = { code?: string; syscall?: string; address?: string; hostname?: string; port?: number }
