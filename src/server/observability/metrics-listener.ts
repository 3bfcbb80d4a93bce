import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MetricsPage } from './metrics-page.js'

/**
 * Serves the metrics, and nothing else, on a port of their own.
 * @throws the system's error if it cannot listen on the address
 */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  page: MetricsPage,
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    try {
      const { status, headers, text } = await page(request.headers.authorization)
      response.writeHead(status, headers).end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: actualPort } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}/metrics`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
