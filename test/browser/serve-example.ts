import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createServer, type HttpServer } from 'vite'

const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url))
// Test files run concurrently, and two Vite servers must not share a cache.
const cache = `../../node_modules/.cache/vite-${process.env.VITEST_POOL_ID}/`

/**
 * Serves the example with its own Vite configuration, on a free port.
 * @param apiUrl the API server; by default the mock runs in the page
 */
export async function serveExample(apiUrl = ''): Promise<{ url: string; close(): Promise<void> }> {
  // Even an empty value overrides a developer's .env file.
  process.env.VITE_API_URL = apiUrl
  const server = await createServer({
    configFile: `${root}vite.config.ts`,
    root,
    cacheDir: fileURLToPath(new URL(cache, import.meta.url)),
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  const { port } = (server.httpServer as HttpServer).address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
