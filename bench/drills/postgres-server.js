// PostgreSQL servers of a drill, from npm. Each is a child process, so that the drill knows when a killed server is gone.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { importPostgres, postgresProgram } from '../../test/programs/embedded-postgres.js'
import { freePort } from '../free-port.js'
import { endWithThis } from './processes.js'

const user = 'drills'
export const password = 'a-password-for-drills'
const database = 'dashboard'
/** PostgreSQL does not run as root, but as the user that `initdb` created. */
const isRoot = process.getuid?.() === 0

const usualFlags = ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US']

/** Creates a data folder with an empty database, and starts a server on it. */
export async function createPostgres(folder, settings = {}, initdbFlags = usualFlags) {
  const EmbeddedPostgres = await importPostgres()
  const cluster = new EmbeddedPostgres({
    databaseDir: folder,
    user,
    password,
    authMethod: 'scram-sha-256',
    createPostgresUser: isRoot,
    initdbFlags,
    onLog() {},
    onError() {},
  })
  await cluster.initialise()
  const server = await serverOn(folder, settings)
  await server.start()
  await server.query(`CREATE DATABASE ${database}`, { in: 'postgres' })
  return server
}

/**
 * A server for a data folder. It is not started yet.
 * @param settings the settings of PostgreSQL, by name
 */
async function serverOn(folder, settings = {}, port = undefined) {
  const listensOn = port ?? (await freePort())
  const postgres = await postgresProgram()
  const url = new URL(`postgres://127.0.0.1:${listensOn}/${database}`)
  Object.assign(url, { username: user, password })
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '64MB',
    logging_collector: 'off',
    wal_keep_size: '64MB',
    ...settings,
  }
  const { uid, gid } = statSync(folder)
  let child

  const end = async (signal) => {
    if (child === undefined) return
    const ended = child
    child = undefined
    const exit = once(ended, 'exit')
    if (signal === 'SIGKILL') {
      // Kill the child processes first: they would complete their statements before they notice that the postmaster is gone.
      ended.kill('SIGSTOP')
      spawnSync('pkill', ['-KILL', '-P', String(ended.pid)])
    }
    ended.kill(signal)
    await exit
  }

  const startOnce = () =>
    new Promise((resolve, reject) => {
      // Where process 1 does not reap orphans, PostgreSQL takes a zombie of the killed server for a running one.
      rmSync(join(folder, 'postmaster.pid'), { force: true })
      const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const started = spawn(postgres, ['-D', folder, '-p', String(listensOn), ...flags], {
        ...(isRoot && { uid, gid }),
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, LC_ALL: 'C' },
      })
      let output = ''
      endWithThis(started)
      const noticeReady = (text) => {
        output += text
        if (!/ready to accept (read-only )?connections/.test(output)) return
        started.stderr.off('data', noticeReady).resume()
        child = started
        resolve()
      }
      started.stderr.setEncoding('utf8').on('data', noticeReady)
      started.once('exit', () => reject(new Error(`PostgreSQL does not start: ${output.slice(-2000)}`)))
      started.once('error', reject)
    })

  return {
    folder,
    port: listensOn,
    url: url.href,
    get pid() {
      return child.pid
    },
    /** Resolves when the server accepts connections. */
    async start() {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await startOnce()
        } catch (error) {
          // The processes of the killed server may still hold its shared memory.
          if (attempt === 100 || !/shared memory|Address already in use/.test(error.message)) throw error
          await sleep(20)
        }
      }
    },
    /** Kills all its processes. */
    kill: () => end('SIGKILL'),
    /** Shuts the server down, and ends its connections. */
    stop: () => end('SIGINT'),
    /** Runs SQL on a new connection. @returns {Promise<any[]>} */
    async query(sql, { in: name = database, values } = {}) {
      const client = await openClient(url.href, name)
      try {
        return (await client.query(sql, values)).rows
      } finally {
        await client.end()
      }
    },
    /** Opens a connection, as another program would. The caller ends it. */
    connect: (name = database) => openClient(url.href, name),
  }
}

/** Creates a standby of a running server from a copy of its folder. The standby is not started. */
export async function createStandby(primary, folder) {
  const client = await primary.connect()
  rmSync(folder, { recursive: true, force: true })
  await client.query("SELECT pg_backup_start('drill', true)")
  await copyRunning(primary.folder, folder)
  const [{ labelfile }] = (await client.query('SELECT labelfile FROM pg_backup_stop()')).rows
  await client.end()
  const { uid, gid } = statSync(folder)
  for (const [name, text] of Object.entries({ backup_label: labelfile, 'standby.signal': '' })) {
    writeFileSync(join(folder, name), text)
    chownSync(join(folder, name), uid, gid)
  }
  return serverOn(folder, {
    // Reconnects quickly to a primary that is back; the default is 5 s.
    wal_retrieve_retry_interval: '100ms',
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${user} password=${password} application_name=standby`,
  })
}

/** Copies the folder of a running server, without the files that a standby creates itself. */
async function copyRunning(from, to) {
  // `cp` fails if the server removes a file meanwhile. Asynchronous, since the load runs in this process too.
  const copy = () => promisify(execFile)('cp', ['-a', `${from}/.`, to])
  await copy().catch(copy).catch(copy)
  for (const name of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'])
    rmSync(join(to, name), { force: true })
}

async function openClient(url, name) {
  const address = new URL(url)
  address.pathname = name
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}
