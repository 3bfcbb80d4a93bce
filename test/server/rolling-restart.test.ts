import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.js'
import { emptyFolder } from '../cli/cli-process.js'
import { notInstalled, startCaddy, startNginx } from '../examples/start-proxy.js'
import { startProxiedLoad } from './proxied-load.js'
import { seededDatabase, serve } from './serving.js'

type Proxy = { name: string; startProxy: typeof startNginx; env: Record<string, string> }

const proxies: Proxy[] = [
  // nginx asks no node whether it is ready: a refused connection tells it.
  { name: 'nginx', startProxy: startNginx, env: {} },
  // Longer than two of its health checks.
  { name: 'Caddy', startProxy: startCaddy, env: { DASHBOARD_API_DRAIN_DELAY: '3s' } },
]

describe('two processes over one file restart one after the other, and no request is lost,', () => {
  for (const { name, startProxy, env } of proxies) {
    const reason = notInstalled(name.toLowerCase())
    test.skipIf(reason)(
      `behind ${name}${reason ? ` (skipped: ${reason})` : ''}`,
      { timeout: 90_000 },
      async () => {
        const file = join(emptyFolder(), 'live.db')
        const { cookie } = await seededDatabase(file)
        const settings = { DASHBOARD_API_TRUST_PROXY: 'loopback', ...env }
        const start = (port: number) => serve(file, settings, port)
        const ports = [await freePort(), await freePort()]
        const nodes = await Promise.all(ports.map(start))
        const load = startProxiedLoad(await startProxy(nodes.map(({ url }) => url)), cookie)
        for (const [i, port] of ports.entries()) {
          nodes[i]?.child.kill('SIGTERM')
          expect((await nodes[i]?.ended)?.code).toBe(0)
          const node = await start(port)
          nodes[i] = node
          // The proxy has noticed.
          await node.until('stdout', /"operation":"createProject"/)
        }
        await load.stop()
        expect(load.failures).toEqual([])
        expect(load.counts.read).toBeGreaterThan(100)
        const store = await openSqliteStore(file)
        const stored = (await store.listProjects('team-acme')).map((project) => project.name)
        await store.close()
        expect(stored).toEqual(expect.arrayContaining(load.acknowledged))
      },
    )
  }
})
