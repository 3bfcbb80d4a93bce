import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { throughPort } from '../../bench/drills/network.js'
import { createPostgres, createStandby } from '../../bench/drills/postgres-server.js'
import { notInstalled } from '../../bench/drills/proxies.js'
import { withFolder } from '../../bench/drills/with-folder.js'
import { freePort, isListening } from '../../bench/free-port.js'
import { StoreUnavailableError } from '../../src/store/store.js'
import { noPostgres } from '../programs/embedded-postgres.js'
import { openPostgresStore } from '../store/open-stores.js'
import { addressOf } from '../store/postgres/postgres-database.js'
import { acmeProject } from '../store/sqlite/sqlite-folder.js'
import { addTeams } from '../store/store-suite/records.js'

const reason = noPostgres() ?? notInstalled('haproxy')
if (reason) console.warn(`Skipped: ${reason}`)

/** HAProxy sends all connections to the primary while it listens, and then to its standby. */
const configuration = (port: number, [primary, standby]: [number, number]) => `
defaults
  mode tcp
  timeout connect 1s
  timeout client 1m
  timeout server 1m
  default-server check inter 100ms fall 2 rise 2 on-marked-down shutdown-sessions
listen postgres
  bind 127.0.0.1:${port}
  server primary 127.0.0.1:${primary}
  server standby 127.0.0.1:${standby} backup
`

describe.skipIf(reason)('PostgreSQL behind HAProxy', () => {
  test('a failover loses no acknowledged write, and a returning old primary is refused', () =>
    withFolder(async ({ folder, onEnd }) => {
      const primary = await createPostgres(join(folder, 'primary'), { fsync: 'off' })
      onEnd(primary.stop)
      const standby = await createStandby(primary, join(folder, 'standby'))
      await standby.start()
      onEnd(standby.stop)
      await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await primary.query('SELECT pg_reload_conf()')
      const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"
      await expect.poll(() => primary.query(isSynchronous)).toHaveLength(1)

      const port = await freePort()
      writeFileSync(join(folder, 'haproxy.cfg'), configuration(port, [primary.port, standby.port]))
      const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
      onEnd(async () => {
        const ended = once(haproxy, 'exit')
        haproxy.kill('SIGKILL')
        await ended
      })
      await expect.poll(() => isListening(port)).toBe(true)
      const store = await openPostgresStore(addressOf(throughPort(primary.url, port)), { timeoutMs: 2_000 })
      onEnd(store.close)
      await addTeams(store)

      let isDone = false
      const acknowledged: string[] = []
      const unexpected: unknown[] = []
      const write = async (writer: number) => {
        for (let i = 0; !isDone; i += 1) {
          const id = `p${writer}-${i}`
          try {
            await store.addProject(acmeProject(id), { projects: 100_000, bytes: 100_000_000 })
            acknowledged.push(id)
          } catch (error) {
            if (!(error instanceof StoreUnavailableError)) unexpected.push(error)
            await sleep(20)
          }
        }
      }
      const writing = Array.from({ length: 8 }, (_, i) => write(i))
      await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
      await primary.kill()
      await standby.query('SELECT pg_promote()')
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 50)
      isDone = true
      await Promise.all(writing)
      expect(unexpected).toEqual([])
      const stored = new Set((await standby.query('SELECT id FROM projects')).map(({ id }) => id))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

      // HAProxy uses it again, since it listens. Its commits no longer need a standby.
      await primary.start()
      await primary.query('ALTER SYSTEM RESET synchronous_standby_names')
      await primary.query('SELECT pg_reload_conf()')
      const endAll =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dashboard-api'"
      const outcome = async () => {
        await standby.query(endAll)
        return store.addProject(acmeProject('to the old one')).catch((error) => error.message)
      }
      await expect.poll(outcome, { timeout: 20_000 }).toContain('was replaced by one that was promoted')
      expect(await primary.query("SELECT FROM projects WHERE id = 'to the old one'")).toEqual([])

      await primary.stop()
      await expect
        .poll(() => store.addProject(acmeProject('last')).catch(() => 'refused'), { timeout: 20_000 })
        .toBeUndefined()
      expect(await standby.query("SELECT FROM projects WHERE id = 'last'")).toHaveLength(1)
    }))
})
