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
  /** How many connections are open at most. */
  poolSize?: number
  /** How long a statement may take, and how long a call waits for a connection, in milliseconds. */
  timeoutMs?: number
  /** How long a statement may take, if not as long as everything else; 0 is no limit. */
  statementMs?: number
  /** The name that PostgreSQL shows for the connections. */
  applicationName?: string
  /** A file with the password; it is read for each new connection. */
  passwordFile?: string
  /** Called with what an operator should know, such as what of the address is ignored. */
  onWarning?(warning: string): void
}

type Environment = Record<string, string | undefined>

/**
 * The settings of the driver for an address. It is parsed by `pg-connection-string`, and completed from the environment by
 * `pg`, where an empty variable counts as unset.
 * @throws DatabaseRefusedError for an address with several hosts, one that is not valid, or a file that cannot be read
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
      // As in libpq: a socket of this machine needs no TLS.
      ssl: isSocket ? false : ((given.ssl as ClientConfig['ssl']) ?? false),
      ...(given.sslnegotiation && { sslnegotiation: given.sslnegotiation }),
      ...(given.options && { options: given.options }),
      enableChannelBinding: channelBinding !== null && channelBinding !== 'disable',
      application_name: given.application_name || env.PGAPPNAME || applicationName,
      // Called only if the server asks for one.
      password: () => readPassword(login, sources),
      keepAlive: true,
    }
    if (channelBinding === 'require') {
      warnings.push('channel_binding=require is taken for prefer: it is used where the server offers it')
    }
    if (!config.ssl && !isSocket && !isLoopback(host) && !parameters.has('sslmode')) {
      warnings.push(
        `connections to ${host} have no TLS: add sslmode=verify-full to the address, or sslmode=disable`,
      )
    }
    // It refuses what it cannot work with.
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
 * The password of the address, else of its file, else PGPASSWORD, else of PGPASSFILE (`~/.pgpass`).
 * @throws where there is none, with the code of the server for a wrong one
 */
async function readPassword(
  login: Parameters<typeof readPassFile>[0],
  { given, passwordFile, env }: { given?: string; passwordFile?: string; env: Environment },
): Promise<string> {
  if (given) return given
  let missing = 'none is set'
  if (passwordFile) {
    try {
      // Editors put a byte order mark before a text, and an end of line behind it.
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
