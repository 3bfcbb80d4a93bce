/// <reference path="./pgpass.d.ts" />
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { ClientConfig } from 'pg'
import { parse } from 'pg-connection-string'
import readPassFile from 'pgpass'
import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { loadDriver } from '../load-driver.js'
import { ParameterRefused, readParameters } from './address-parameters.js'

export type PostgresOptions = {
  /** The maximum number of open connections. */
  poolSize?: number
  /** The time limit of a statement, and of the wait for a connection, in milliseconds. */
  timeoutMs?: number
  /** The time limit of a statement, if it differs from `timeoutMs`; 0 is no limit. */
  statementMs?: number
  /** The name that PostgreSQL shows for the connections. */
  applicationName?: string
  /** A file with the password, read for each new connection. */
  passwordFile?: string
  /** Called with warnings for the operator, such as an ignored parameter of the address. */
  onWarning?(warning: string): void
}

type Environment = Record<string, string | undefined>

/**
 * The driver's settings for an address. `pg-connection-string` parses it, and `pg` completes it from the environment. An
 * empty variable counts as unset.
 * @throws DatabaseRefusedError if the address has several hosts or is invalid, or a file cannot be read
 */
export function connectionConfig(
  { name, url }: PostgresAddress,
  {
    applicationName = 'dashboard-api',
    passwordFile,
  }: Pick<PostgresOptions, 'applicationName' | 'passwordFile'>,
  env: Environment = process.env,
): { config: ClientConfig; warnings: string[] } {
  const { Client, defaults } = loadDriver('pg')
  const refuse = (reason: string, hint: string, cause?: unknown) =>
    new DatabaseRefusedError(name, reason, hint, cause)
  const [base = '', ...queries] = url.split('?')
  const hostsOf = [base.replace(/^.*\/\/(?:.*@)?|\/[^@]*$/g, ''), env.PGHOST ?? '']
  try {
    const { parameters, warnings } = readParameters(queries.join('?'), env)
    if ([...hostsOf, parameters.get('host') ?? ''].some((hosts) => hosts.includes(','))) {
      const hint =
        'Name one server, or what balances and fails over before several: HAProxy, PgBouncer, a managed endpoint.'
      throw refuse('its address is a list of hosts', hint)
    }
    const given = parse(`${base}?${parameters}`, { useLibpqCompat: true })
    const host = given.host || env.PGHOST || defaults.host || 'localhost'
    const isSocket = host.startsWith('/')
    const user = given.user || env.PGUSER || defaults.user
    if (!user) throw refuse('it names no user', 'Name one in the address, or in PGUSER.')
    const port = Number(given.port || env.PGPORT || defaults.port)
    if (!(port > 0 && port < 65_536))
      throw refuse('its port is no number of a port', 'Correct it, or PGPORT.')
    const login = { host, port, user, database: given.database || env.PGDATABASE || user }
    const sources = { given: given.password, passwordFile, env }
    const channelBinding = parameters.get('channel_binding')
    const config: ClientConfig = {
      ...login,
      // As in libpq, a socket of this machine needs no TLS.
      ssl: isSocket ? false : ((given.ssl as ClientConfig['ssl']) ?? false),
      ...(given.sslnegotiation && { sslnegotiation: given.sslnegotiation }),
      ...(given.options && { options: given.options }),
      enableChannelBinding: channelBinding !== null && channelBinding !== 'disable',
      application_name: given.application_name || env.PGAPPNAME || applicationName,
      // Called only if the server asks for a password.
      password: () => readPassword(login, sources),
      keepAlive: true,
      // Statements that do not wait for each other's results are sent together.
      pipeline: true,
    }
    if (channelBinding === 'require') {
      warnings.push('channel_binding=require is taken for prefer: it is used where the server offers it')
    }
    if (!config.ssl && !isSocket && !isLoopback(host) && !parameters.has('sslmode')) {
      warnings.push(
        `connections to ${host} have no TLS: add sslmode=verify-full to the address, or sslmode=disable`,
      )
    }
    // The constructor throws for invalid settings.
    new Client(config)
    return { config, warnings }
  } catch (error) {
    if (error instanceof DatabaseRefusedError) throw error
    if (error instanceof ParameterRefused) throw refuse(error.message, error.hint)
    const { code, path, message } = error as NodeJS.ErrnoException
    if (path !== undefined) {
      const reason = `the file ${path} cannot be read (${code})`
      throw refuse(reason, 'Check sslrootcert, sslcert and sslkey.', error)
    }
    if (code === 'ERR_INVALID_URL' || error instanceof URIError) {
      const hint =
        'Write postgres://USER@HOST:PORT/DATABASE, with special characters such as / # ? % as %2F %23 %3F %25.'
      throw refuse('its address is no valid URL', hint)
    }
    throw refuse(message, 'Correct its address.', error)
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) > 0 && /^(127\.|::1$)/.test(host))

/**
 * The password of the address, of its file, of PGPASSWORD, or of PGPASSFILE (`~/.pgpass`), in this order.
 * @throws if there is none, with the server's code for a wrong password
 */
async function readPassword(
  login: Parameters<typeof readPassFile>[0],
  { given, passwordFile, env }: { given?: string; passwordFile?: string; env: Environment },
): Promise<string> {
  if (given) return given
  let missing = 'none is set'
  if (passwordFile) {
    try {
      // Editors may add a byte order mark at the start and a newline at the end.
      const password = (await readFile(passwordFile, 'utf8')).replace(/^\uFEFF|\r?\n$/g, '')
      if (password) return password
      missing = `the file ${passwordFile} is empty`
    } catch (error) {
      missing = `the file ${passwordFile} cannot be read (${(error as NodeJS.ErrnoException).code})`
    }
  } else {
    const password =
      env.PGPASSWORD || (await new Promise<string | undefined>((resolve) => readPassFile(login, resolve)))
    if (password) return password
  }
  throw Object.assign(new Error(`the server asks for a password, and ${missing}`), { code: '28P01' })
}
