const words = (text: string): string[] => text.split(' ')

/** The parameters that `pg` and `pg-connection-string` read. */
const taken = words(
  'user password host port options application_name fallback_application_name channel_binding ' +
    'ssl sslmode sslrootcert sslcert sslkey sslnegotiation uselibpqcompat',
)

/** The parameters that have no effect here, by reason. */
const ignored: Record<string, string[]> = {
  'DASHBOARD_API_DATABASE_TIMEOUT has the time limit': words(
    'connect_timeout statement_timeout lock_timeout query_timeout idle_in_transaction_session_timeout ' +
      'tcp_user_timeout socket_timeout pool_timeout',
  ),
  'DASHBOARD_API_DATABASE_POOL_SIZE has the size of the pool': words(
    'connection_limit pool_size max_conns pool_max_conns',
  ),
  'a pooler is noticed by itself': words('pgbouncer statement_cache_size prepareThreshold'),
  'connections are kept alive': words('keepalives keepalives_idle keepalives_interval keepalives_count'),
  'it means nothing here': words('client_encoding sslsni sslcompression load_balance_hosts'),
}

const searchPath = 'Run: ALTER ROLE USER SET search_path = NAME.'
const verify =
  'Write sslmode=verify-full, and sslrootcert=FILE where the certificate is of another authority.'

/** The advice for a parameter that asks for an unsupported feature. */
const hints: Record<string, string> = {
  schema: searchPath,
  currentSchema: searchPath,
  search_path: searchPath,
  dbname: 'Write the database behind the host: postgres://USER@HOST/DATABASE.',
  hostaddr: 'Write the address as the host.',
  passfile: 'Set PGPASSFILE.',
  service: 'Write what the service file says as an address.',
  sslpassword: 'Store the key without a password, for the user of this process alone.',
  sslaccept: verify,
  gssencmode: verify,
  target_session_attrs: 'Remove it: the service needs a server that accepts writes.',
}

/** Parameters with values that the service applies anyway. */
const usual: Record<string, string[]> = {
  target_session_attrs: ['any', 'read-write', 'primary'],
  schema: ['public'],
  gssencmode: ['disable', 'prefer'],
}

/** TLS modes, and their synonyms. The driver either encrypts or not: it tries no second way. */
const modes: Record<string, string> = {
  ...{ disable: 'disable', require: 'require', 'verify-ca': 'verify-ca', 'verify-full': 'verify-full' },
  ...{ prefer: 'require', 'no-verify': 'require' },
}
/** The values of `ssl`, the parameter of other drivers. */
const modesOfSsl: Record<string, string> = {
  ...{ true: 'verify-full', 1: 'verify-full', false: 'disable', 0: 'disable' },
  ...{ require: 'require', 'no-verify': 'require' },
}

/** The variables of libpq for TLS. `pg` reads the first in its own way and ignores the others. */
const tlsParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** A refused parameter, with the reason and a sentence of advice. */
export class ParameterRefused extends Error {
  readonly hint: string

  constructor(reason: string, hint: string) {
    super(reason)
    this.hint = hint
  }
}

/**
 * Reads the parameters of an address as `pg` does, and reports unknown ones.
 * @param env completes the parameters for TLS, as in libpq
 * @returns the parameters for `pg-connection-string`, and a warning for each ignored one
 * @throws ParameterRefused
 */
export function readParameters(
  query: string,
  env: Record<string, string | undefined>,
): { parameters: URLSearchParams; warnings: string[] } {
  const parameters = new URLSearchParams(query)
  const warnings: string[] = []
  for (const [name, value] of [...parameters]) {
    if (taken.includes(name)) continue
    parameters.delete(name)
    if (usual[name]?.includes(value)) continue
    // An invalid name may be a part of a password with a question mark.
    const shown = /^\w+$/.test(name) ? `"${name}"` : 'that is no word'
    const reason = Object.keys(ignored).find((each) => ignored[each]?.includes(name))
    if (reason === undefined) {
      const hint = hints[name] ?? 'Remove it, or correct its name.'
      throw new ParameterRefused(`its address has a parameter ${shown} that is not supported`, hint)
    }
    warnings.push(`the parameter ${shown} of its address is ignored: ${reason}`)
  }
  for (const name of tlsParameters) {
    const value = env[`PG${name.toUpperCase()}`]
    const isGiven = parameters.has(name) || (name === 'sslmode' && parameters.has('ssl'))
    if (value && !isGiven) parameters.set(name, value)
  }
  readTls(parameters, warnings)
  return { parameters, warnings }
}

/** `sslmode` has the meaning of libpq. */
function readTls(parameters: URLSearchParams, warnings: string[]): void {
  const ssl = parameters.get('ssl')
  const given = parameters.get('sslmode')
  // Any host could have a certificate of the system's roots: only verify-full makes sense.
  const isSystem = parameters.get('sslrootcert') === 'system'
  const mode = isSystem ? 'verify-full' : given === null ? modesOfSsl[ssl ?? ''] : modes[given]
  if (mode === undefined && (given !== null || ssl !== null)) {
    const name = given === null ? 'ssl' : 'sslmode'
    throw new ParameterRefused(`its parameter "${name}" has a value that is not supported`, verify)
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new ParameterRefused('sslmode=verify-ca needs the certificate of an authority', verify)
  }
  if (given === 'prefer') warnings.push('sslmode=prefer is taken for sslmode=require: there is always TLS')
  if (mode !== undefined) parameters.set('sslmode', mode)
  // The parser's own option would apply the last value to all addresses.
  for (const name of [isSystem && 'sslrootcert', 'ssl', 'uselibpqcompat']) if (name) parameters.delete(name)
}
