/** The parameters that `pg` and `pg-connection-string` read. */
const taken = new Set([
  ...['user', 'password', 'host', 'port', 'options', 'application_name', 'fallback_application_name'],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'channel_binding'],
  'uselibpqcompat',
])

const timeLimit = 'DASHBOARD_API_DATABASE_TIMEOUT has the time limit'
const poolSize = 'DASHBOARD_API_DATABASE_POOL_SIZE has the size of the pool'
const pooler = 'a pooler is noticed by itself'
const keptAlive = 'connections are kept alive'

/** The parameters that change nothing here, with the reason. */
const ignored: Record<string, string> = {
  connect_timeout: timeLimit,
  statement_timeout: timeLimit,
  lock_timeout: timeLimit,
  query_timeout: timeLimit,
  idle_in_transaction_session_timeout: timeLimit,
  tcp_user_timeout: timeLimit,
  socket_timeout: timeLimit,
  pool_timeout: timeLimit,
  connection_limit: poolSize,
  pool_size: poolSize,
  max_conns: poolSize,
  pool_max_conns: poolSize,
  pgbouncer: pooler,
  statement_cache_size: pooler,
  prepareThreshold: pooler,
  keepalives: keptAlive,
  keepalives_idle: keptAlive,
  keepalives_interval: keptAlive,
  keepalives_count: keptAlive,
  client_encoding: 'it is UTF8',
  sslsni: 'the name of the host is always sent',
  sslcompression: 'nothing is compressed',
  load_balance_hosts: 'an address has one host',
}

const searchPath = 'Run: ALTER ROLE USER SET search_path = NAME'
const caFile = 'Write sslmode=verify-full, and sslrootcert=FILE where the certificate is of another authority'

/** The parameters that ask for something else than what the service would do, with what to do. */
const refused: Record<string, string> = {
  schema: searchPath,
  currentSchema: searchPath,
  search_path: searchPath,
  dbname: 'Write the database behind the host: postgres://USER@HOST/DATABASE',
  hostaddr: 'Write the address as the host',
  passfile: 'Set PGPASSFILE',
  service: 'Write what the service file says as an address',
  sslpassword: 'Store the key without a password, for the user of this process alone',
  sslaccept: caFile,
  sslcert_file: caFile,
  sslcrl: 'Remove it: no list of revoked certificates is read',
  require_auth: 'Remove it: the server chooses the way to authenticate',
  replication: 'Remove it',
}

/** The values of parameters that mean what the service does anyway, or that it cannot do. */
const valuesOf: Record<string, { same: string[]; otherwise: string }> = {
  // A server in recovery is refused.
  target_session_attrs: {
    same: ['any', 'read-write', 'primary'],
    otherwise: 'Remove it: the service needs a server that accepts writes',
  },
  schema: { same: ['public'], otherwise: searchPath },
  gssencmode: { same: ['disable', 'prefer'], otherwise: 'Write sslmode=verify-full instead' },
}

/** What to write for a mode of TLS that `pg-connection-string` does not know, or takes for another one. */
const modesOfTls: Record<string, string> = {
  // The driver encrypts, or it does not; it tries no second way.
  prefer: 'require',
  // Of pg; libpq says it so.
  'no-verify': 'require',
}
const knownModes = ['disable', 'require', 'verify-ca', 'verify-full']

/** What other drivers write for a mode. */
const modesOfSsl: Record<string, string> = {
  true: 'verify-full',
  '1': 'verify-full',
  require: 'require',
  'no-verify': 'require',
  false: 'disable',
  '0': 'disable',
}

/** A parameter that is refused: a reason, and a sentence that says what to do. */
export class ParameterRefused extends Error {
  readonly hint: string

  constructor(reason: string, hint: string) {
    super(reason)
    this.hint = hint
  }
}

/** The variables of libpq for TLS: `pg` reads the first one in its own way, and the others not at all. */
const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/**
 * Reads the parameters of an address as `pg` does, where others print what it does not know.
 * @param env completes those for TLS, as in libpq
 * @returns those for `pg-connection-string`, and warnings of what is ignored
 * @throws ParameterRefused
 */
export function readParameters(
  query: string,
  env: Record<string, string | undefined>,
): { parameters: URLSearchParams; warnings: string[] } {
  const parameters = new URLSearchParams(query)
  const warnings: string[] = []
  for (const [name, value] of [...parameters]) {
    const values = valuesOf[name]
    if (taken.has(name)) continue
    parameters.delete(name)
    if (values?.same.includes(value)) continue
    // What is no word may be a part of a password with a question mark.
    const shown = /^\w+$/.test(name) ? `"${name}"` : 'that is no word'
    const reason = ignored[name]
    if (reason !== undefined) {
      warnings.push(`the parameter ${shown} of its address is ignored: ${reason}`)
    } else {
      const hint = values?.otherwise ?? refused[name] ?? 'Remove it, or correct its name'
      throw new ParameterRefused(`its address has a parameter ${shown} that is not supported`, `${hint}.`)
    }
  }
  for (const name of tlsParameters) {
    const value = env[`PG${name.toUpperCase()}`]
    const isGiven = parameters.has(name) || (name === 'sslmode' && parameters.has('ssl'))
    if (value && !isGiven) parameters.set(name, value)
  }
  readTls(parameters, warnings)
  return { parameters, warnings }
}

/** `sslmode` means what it means in libpq. */
function readTls(parameters: URLSearchParams, warnings: string[]): void {
  const ssl = parameters.get('ssl')
  if (ssl !== null) {
    const mode = modesOfSsl[ssl]
    if (mode === undefined) {
      throw new ParameterRefused('its parameter "ssl" has a value that is not known', `${caFile}.`)
    }
    if (!parameters.has('sslmode')) parameters.set('sslmode', mode)
  }
  // With the roots of the system any host could have a certificate: only verify-full makes sense.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
  }
  const mode = parameters.get('sslmode')
  if (mode !== null) {
    const known = modesOfTls[mode] ?? mode
    if (!knownModes.includes(known)) {
      const modes = knownModes.join(', ')
      throw new ParameterRefused(
        'its parameter "sslmode" has a value that is not supported',
        `Write one of ${modes}.`,
      )
    }
    if (known === 'verify-ca' && !parameters.has('sslrootcert')) {
      throw new ParameterRefused('sslmode=verify-ca needs the certificate of an authority', `${caFile}.`)
    }
    parameters.set('sslmode', known)
    if (mode === 'prefer') warnings.push('sslmode=prefer is taken for sslmode=require: there is always TLS')
  }
  // The option of the parser says it for all addresses.
  for (const name of ['ssl', 'uselibpqcompat']) parameters.delete(name)
}
