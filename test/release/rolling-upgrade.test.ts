import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { startBalancer } from '../../examples/cluster/balancer.js'
import { bin, emptyFolder, listening, sessionSecret, startProcess } from '../cli/cli-process.js'
import { createClient } from '../server/serving.js'
import { createDatabase, noPostgres } from '../store/postgres/postgres-database.js'
import { programOfSecondVersion } from '../store/second-version.js'
import { startProxiedLoad } from './proxied-load.js'

/** A program, with a database. */
function releaseOf(program: string, database: string) {
  const start = (...args: string[]) =>
    startProcess(process.execPath, [program, ...args], {
      env: {
        DASHBOARD_API_DATABASE: database,
        DASHBOARD_API_SESSION_SECRET: sessionSecret,
        DASHBOARD_API_TRUST_PROXY: 'loopback',
        // Longer than the balancer needs to notice.
        DASHBOARD_API_DRAIN_DELAY: '1s',
      },
    })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(...args).ended
    expect(code, stderr).toBe(0)
    return stdout
  }
  return {
    run,
    /** @returns the id and the cookie of a session with all permissions */
    async issueSession(): Promise<{ session: string; cookie: string }> {
      const user = ['--user', 'ada@acme.example', '--organization', 'org_acme']
      const permissions = ['--permissions', 'create:projects,update:projects']
      const issued = JSON.parse(await run('session', 'issue', ...user, ...permissions, '--json'))
      return { session: issued.session, cookie: `session=${issued.cookie}` }
    },
    async serve(port: number) {
      const running = start('serve', '--port', String(port), '--json')
      return { ...running, url: await listening(running) }
    },
  }
}

/** A client of a node, in addition to the load. */
function clientOf(url: string, cookie: string) {
  const client = createClient(url, cookie)
  onTestFinished(client.end)
  return client
}

const namesIn = (response: unknown): string[] =>
  Object(response).body.projects.map(({ name }: { name: string }) => name)

const upgrades = [
  { name: 'SQLite', isFile: true, create: async () => join(emptyFolder(), 'live.db') },
  {
    name: 'PostgreSQL',
    isFile: false,
    missing: noPostgres,
    async create() {
      const { url, drop } = await createDatabase()
      onTestFinished(drop)
      return url
    },
  },
]

describe('two nodes are upgraded in sequence to a program with one more migration,', () => {
  for (const { name, isFile, create, missing } of upgrades) {
    const title = `and no request fails over ${name}${missing ? ` (skipped: ${missing})` : ''}`
    test.skipIf(missing)(title, async () => {
      const database = await create()
      const before = releaseOf(bin, database)
      const next = releaseOf(programOfSecondVersion(emptyFolder()), database)
      await before.run('seed')
      const { cookie } = await before.issueSession()
      const ports = [await freePort(), await freePort()] as const
      const old = [await before.serve(ports[0]), await before.serve(ports[1])] as const
      const balancer = await startBalancer({
        port: 0,
        targets: () => old.map(({ url }) => ({ name: url, url })),
        isForwarded: () => true,
        serveRest: () => {},
      })
      onTestFinished(balancer.close)
      const load = startProxiedLoad(balancer.url, cookie, { clients: 4, pauseMs: 20 })
      const upgrade = async (i: 0 | 1) => {
        old[i].child.kill('SIGTERM')
        expect((await old[i].ended).code).toBe(0)
        const node = await next.serve(ports[i])
        // Waits until the balancer has noticed.
        await node.until('stdout', /"operation":"createProject"/)
        return node
      }

      const first = await upgrade(0)
      if (isFile) await first.until('stdout', /"copy":".*"msg":"the database was migrated"/)
      // Each program accepts sessions issued by the other, and notices their revocation.
      const issued = await next.issueSession()
      const ofOther = clientOf(old[1].url, issued.cookie)
      expect(await ofOther.ready()).toMatchObject({ status: 200 })
      expect(await ofOther.list()).toMatchObject({ status: 200 })
      await next.run('session', 'revoke', issued.session)
      expect(await ofOther.list()).toMatchObject({ status: 401 })
      // A write of one node invalidates the cache of the other.
      const [ofOld, ofNew] = [clientOf(old[1].url, cookie), clientOf(first.url, cookie)]
      for (const [writer, reader, project] of [
        [ofOld, ofNew, 'of the old'],
        [ofNew, ofOld, 'of the new'],
      ] as const) {
        await reader.list()
        expect(await writer.create(project)).toMatchObject({ status: 201 })
        expect(namesIn(await reader.list())).toContain(project)
      }
      const second = await upgrade(1)
      await load.stop()
      expect(load.failures).toEqual([])
      expect(load.counts.read).toBeGreaterThan(20)

      const stored = namesIn(await clientOf(second.url, cookie).list())
      expect(stored).toEqual(expect.arrayContaining(load.acknowledged))
      await next.run('database', 'check')
      expect(await next.run('audit', 'list', '--json')).toContain(issued.session)

      // A downgrade needs no backup.
      const again = clientOf((await before.serve(0)).url, cookie)
      expect(await again.create('with the program before')).toMatchObject({ status: 201 })
      expect(await again.ready()).toMatchObject({ status: 200 })
    })
  }
})
