import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../bench/free-port.js'
import { serverUrl } from './postgres-database.js'

/** The reason why there is no PgBouncer to test with; undefined if there is one. */
export const noPgbouncer = findVersion() === undefined ? 'there is no pgbouncer on the path' : undefined
if (noPgbouncer) console.warn(`Skipped: ${noPgbouncer}`)

function findVersion(): string | undefined {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

/**
 * Starts PgBouncer in front of the server of tests.
 * @param poolSize the number of connections to the server for each database
 * @param authType the authentication of clients
 */
export async function startPgbouncer(
  poolMode: 'session' | 'transaction' | 'statement',
  poolSize: number,
  authType: 'trust' | 'md5' | 'scram-sha-256' = 'trust',
): Promise<{
  /** The address of a database behind PgBouncer. */
  behind(database: string): string
  stop(): Promise<void>
}> {
  const { hostname, port, username, password } = new URL(serverUrl)
  const listenPort = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  await writeFile(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
     * = host=${hostname} port=${port || 5432}
     [pgbouncer]
     listen_addr = 127.0.0.1
     listen_port = ${listenPort}
     unix_socket_dir =
     auth_type = ${authType}
     auth_file = ${join(folder, 'users.txt')}
     pool_mode = ${poolMode}
     default_pool_size = ${poolSize}
     max_client_conn = 200\n`.replace(/^ +/gm, ''),
  )
  await chmod(folder, 0o755)
  // PgBouncer does not run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...nobody,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (/process up/.test(log)) resolve()
    })
    void ended.then(() => reject(new Error(`pgbouncer ended: ${log}`)))
  })
  return {
    behind(database) {
      const url = new URL(database)
      url.host = `127.0.0.1:${listenPort}`
      return url.href
    },
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
