import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MetricsPage } from './metrics-page.js'

/**
 * Serves the metrics, and nothing else, on a port of their own.
 * @throws the system's error where the address cannot be listened on
 */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  page: MetricsPage,
): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ method, url, headers }, response) => {
    if (method !== 'GET' || url !== '/metrics') return void response.writeHead(404).end()
    try {
      const { status, headers: sent, text } = await page(headers.authorization)
      response.writeHead(status, sent).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: taken } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
