import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { startRealProvider } from '../../test/oidc/real-provider.js'
import { startPostgres } from '../../test/store/postgres/start-postgres.js'
import { type Forwarded, startBalancer } from './balancer.js'
import { buildExample } from './built-example.js'
import { demoAccounts } from './demo-accounts.js'
import { executable, type NodeProcess, runNode } from './node-process.js'

export type Cluster = {
  url: string
  databaseUrl: string
  nodes: readonly NodeProcess[]
  close(): Promise<void>
}

export type ClusterOptions = { port: number; signal: AbortSignal; print(line: string): void }

const nodeCount = 3
const fromNodes = /^\/(v1|auth|docs|openapi\.json)(?![\w-])/

/**
 * Starts PostgreSQL, an identity provider, three nodes of the service and a balancer, with the demo's data. The balancer
 * also serves the example application.
 * @param options.port of the balancer; 0 picks a free one
 * @throws where the port is taken, PostgreSQL cannot be started, or `signal` is aborted; nothing stays behind then
 */
export async function startCluster({ port, signal, print }: ClusterOptions): Promise<Cluster> {
  const building = buildExample()
  // It is awaited below. It removes its folder at its end.
  const built = building.catch(() => {})
  const closers: (() => Promise<unknown>)[] = [() => built]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const nodes: NodeProcess[] = []
    // First, so that a port that is taken is noticed at once.
    const balancer = await startBalancer({
      port,
      targets: () => nodes,
      isForwarded: (path) => fromNodes.test(path),
      serveRest: async (request, response) => {
        // The cookie of a sign-in that begins at localhost would not come back to the address of the service.
        const { host } = new URL(balancer.url)
        if (request.headers.host !== host) response.writeHead(307, { location: `${balancer.url}/` }).end()
        else (await building)(request, response)
      },
      onForwarded: (forwarded) => print(describe(forwarded)),
    })
    closers.push(balancer.close)
    const postgres = await startPostgres(['fsync=on']).catch((error) => {
      throw new Error(`PostgreSQL cannot be started here: ${error.message}`)
    })
    closers.push(postgres.stop)
    signal.throwIfAborted()
    const provider = await startRealProvider()
    closers.push(provider.close)
    Object.assign(provider.accounts, demoAccounts())
    await provider.register(balancer.url)
    await building

    const env = {
      ...withoutSettings(process.env),
      DASHBOARD_API_DATABASE: postgres.url,
      DASHBOARD_API_SESSION_SECRET: randomBytes(32).toString('base64url'),
      DASHBOARD_API_PUBLIC_URL: balancer.url,
      DASHBOARD_API_TRUST_PROXY: 'loopback',
      DASHBOARD_API_OIDC_ISSUER: provider.issuer,
      DASHBOARD_API_OIDC_CLIENT_ID: provider.clientId,
      DASHBOARD_API_OIDC_CLIENT_SECRET: provider.clientSecret,
      // More than the time between two health checks of the balancer.
      DASHBOARD_API_DRAIN_DELAY: '1s',
      DASHBOARD_API_LOG_LEVEL: 'warn',
    }
    await promisify(execFile)(process.execPath, [executable, 'seed'], { env, signal })
    for (let number = 1; number <= nodeCount; number += 1) nodes.push(runNode(`node ${number}`, env, print))
    closers.push(() => Promise.all(nodes.map((node) => node.stop())))
    await Promise.race([Promise.all(nodes.map((node) => node.started)), aborted(signal)])
    while (!(await balancer.checkHealth())) signal.throwIfAborted()
    return { url: balancer.url, databaseUrl: postgres.url, nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The environment without what would change the nodes or their connections. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^(DASHBOARD_API_|PG)/.test(name)))

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
  })

function describe({ method, path, status, node, passed }: Forwarded): string {
  const before = passed.length > 0 ? `, not ${passed.join(', ')}` : ''
  return `${method} ${path.replace(/\?.*/, '')} ${status} ${node ?? 'no node'}${before}`
}
