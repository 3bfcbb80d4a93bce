import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../dashboard/', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Builds the example application for production: it calls the API at the origin that serves it. */
export async function buildExample(): Promise<RequestListener> {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-example-'))
  try {
    // Even an empty value overrides a developer's .env file. With another NODE_ENV the example would start the mock.
    Object.assign(process.env, { VITE_API_URL: '', NODE_ENV: 'production' })
    await build({
      configFile: join(root, 'vite.config.ts'),
      root,
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = new Map<string, { type: string; body: Buffer }>()
    for (const entry of names.filter((name) => name.isFile())) {
      const file = join(entry.parentPath, entry.name)
      const type = types[extname(file)] ?? 'application/octet-stream'
      files.set(file.slice(folder.length).replaceAll('\\', '/'), { type, body: await readFile(file) })
    }
    return ({ url = '/' }, response) => {
      const path = url.replace(/\?.*/, '')
      const file = files.get(path === '/' ? '/index.html' : path)
      if (file) response.writeHead(200, { 'content-type': file.type }).end(file.body)
      else response.writeHead(404).end()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
