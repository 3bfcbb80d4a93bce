import { readFile } from 'node:fs/promises'
import type { MockReply } from './core/mock-reply.js'

const types: Record<string, string> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }

const folder = new URL('../../workbench/', import.meta.url)

/** Returns a file of the workbench, the page that controls the mock; undefined for any other path. */
export async function workbenchFile(path: string): Promise<MockReply | undefined> {
  const name = path === '/__dev/' ? 'index.html' : /^\/__dev\/([a-z-]+\.(?:css|js))$/.exec(path)?.[1]
  const content = name && (await readFile(new URL(name, folder), 'utf8').catch(() => undefined))
  if (!content) return undefined
  return {
    status: 200,
    body: content,
    headers: {
      'content-type': `${types[name.split('.')[1] ?? '']}; charset=utf-8`,
      'cache-control': 'no-store',
      // Everything comes from this server, and no script is inline.
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
      'x-content-type-options': 'nosniff',
    },
  }
}
