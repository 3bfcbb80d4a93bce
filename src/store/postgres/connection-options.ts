import { readFile } from 'node:fs/promises'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import {
  addressVariables,
  type PostgresAddress,
  parseDatabaseAddress,
  withoutPassword,
} from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { systemUser } from '../process-origin.js'
import { readPassword } from './read-password.js'

/** Which servers a connection may lead to, as in libpq. */
export type SessionAttributes = 'any' | 'read-write' | 'read-only' | 'primary' | 'standby' | 'prefer-standby'

export type Host = { host: string; port: number }

/** How to reach a database: everything but the time limits. */
export type ConnectionOptions = {
  /** The address without a password, for messages. */
  name: string
  hosts: Host[]
  user: string
  database: string
  applicationName: string
  sessionAttributes: SessionAttributes
  /** The ways to connect, in order: with TLS, or without. */
  tls: (TlsOptions | false)[]
  /** Reads the password for a new connection; it may have changed. */
  password(host: Host): Promise<string>
}

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
  /** Called when several servers of the address accept writes, or the role lacks settings behind a pooler. */
  onWarning?(warning: string): void
}

/**
 * Completes an address from the environment, as libpq does, and reads the certificates that it names. An empty variable
 * counts as unset.
 * @param options.passwordFile a file with the password
 * @throws DatabaseRefusedError where a variable is not valid, or a certificate cannot be read
 */
export async function connectionOptions(
  address: PostgresAddress,
  {
    applicationName = 'dashboard-api',
    passwordFile,
  }: Pick<PostgresOptions, 'applicationName' | 'passwordFile'>,
  env: Record<string, string | undefined> = process.env,
): Promise<ConnectionOptions> {
  const { name } = address
  const completed = parseDatabaseAddress(name, env)
  if (completed?.kind !== 'postgres') {
    const set = addressVariables.filter((variable) => env[variable])
    const values = set.map((variable) => `${variable}=${withoutPassword(env[variable] ?? '')}`).join(', ')
    throw new DatabaseRefusedError(name, `what completes it is not valid: ${values}`, 'Correct the variable.')
  }
  const { parameters } = completed
  const user = address.user ?? (env.PGUSER || systemUser())
  if (user === undefined) {
    const reason = 'it names no user, and that of this process has no name'
    throw new DatabaseRefusedError(name, reason, 'Name one in the address, or in PGUSER.')
  }
  const database = address.database ?? (env.PGDATABASE || user)
  const hosts = completed.hosts.map((host) => ({ port: 5432, ...host }))
  const attributes = parameters.target_session_attrs
  return {
    name,
    hosts,
    user,
    database,
    applicationName: parameters.application_name ?? applicationName,
    // With several hosts one of them accepts writes, and the service needs that one.
    sessionAttributes: (attributes as SessionAttributes) ?? (hosts.length > 1 ? 'read-write' : 'any'),
    tls: await tlsOptions(name, parameters),
    // Called only if the server asks for one.
    async password(host) {
      const sources = { given: address.password, passwordFile, env }
      let missing = 'none is set'
      const password = await readPassword({ ...host, user, database }, sources).catch(({ code }) => {
        missing = `the file ${passwordFile} cannot be read (${code})`
      })
      // No role has an empty one.
      if (password) return password
      throw Object.assign(new Error(`the server asks for a password, and ${missing}`), { code: '28P01' })
    },
  }
}

/** The meaning of `sslmode` in libpq. */
async function tlsOptions(
  name: string,
  { sslrootcert, sslcert, sslkey, ...others }: Record<string, string | undefined>,
): Promise<(TlsOptions | false)[]> {
  // The roots of the system vouch for any host.
  const { sslmode = sslrootcert === 'system' ? 'verify-full' : 'prefer' } = others
  if (sslmode === 'disable') return [false]
  const read = async (file: string | undefined) => {
    if (file === undefined || file === 'system') return undefined
    return readFile(file, 'utf8').catch((error) => {
      const reason = `the file ${file} cannot be read (${error.code})`
      throw new DatabaseRefusedError(name, reason, 'Check sslrootcert, sslcert and sslkey.', error)
    })
  }
  const [ca, cert, key] = await Promise.all([sslrootcert, sslcert, sslkey].map(read))
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  // With a root certificate, `require` checks the certificate like `verify-ca`.
  const isVerified = sslmode.startsWith('verify') || (sslmode === 'require' && sslrootcert !== undefined)
  const tls: TlsOptions = {
    ...files,
    rejectUnauthorized: isVerified,
    ...(sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
  const ways: Record<string, (TlsOptions | false)[]> = { prefer: [tls, false], allow: [false, tls] }
  return ways[sslmode] ?? [tls]
}
