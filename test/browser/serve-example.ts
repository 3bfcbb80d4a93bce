import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer, type HttpServer, type InlineConfig, preview } from 'vite'

const root = fileURLToPath(new URL('../../examples/dashboard/', import.meta.url))
// Test files run concurrently, and two Vite servers must not share a cache.
const cache = `../../node_modules/.cache/vite-${process.env.VITEST_POOL_ID}/`

const config: InlineConfig = {
  configFile: `${root}vite.config.ts`,
  root,
  logLevel: 'error',
}
const address = { host: '127.0.0.1', port: 0 }
const urlOf = (server: Pick<HttpServer, 'address'>) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`

type ServedExample = { url: string; close(): Promise<void> }

/** Serves the example with its Vite configuration on a free port. The mock runs in the page. */
export async function serveExample(): Promise<ServedExample> {
  // Even an empty value overrides a developer's .env file.
  process.env.VITE_API_URL = ''
  const cacheDir = fileURLToPath(new URL(cache, import.meta.url))
  const server = await createServer({ ...config, cacheDir, server: address })
  await server.listen()
  return { url: urlOf(server.httpServer as HttpServer), close: () => server.close() }
}

/** Serves the example as it is deployed, in front of an API server: each page loads two files instead of eighty. */
export async function serveBuiltExample(apiUrl: string): Promise<ServedExample> {
  process.env.VITE_API_URL = apiUrl
  const outDir = await mkdtemp(join(tmpdir(), 'dashboard-example-'))
  await build({ ...config, build: { outDir, emptyOutDir: true, minify: false } })
  const server = await preview({ ...config, build: { outDir }, preview: address })
  return {
    url: urlOf(server.httpServer),
    async close() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
