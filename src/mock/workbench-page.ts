import { readFile } from 'node:fs/promises'

const files: Record<string, { name: string; type: string }> = {
  '/__dev/': { name: 'index.html', type: 'text/html' },
  '/__dev/workbench.css': { name: 'workbench.css', type: 'text/css' },
  '/__dev/workbench.js': { name: 'workbench.js', type: 'text/javascript' },
}

const folder = new URL('../../workbench/', import.meta.url)

/** Returns a file of the workbench, the page that controls the mock; undefined for any other path. */
export async function workbenchFile(path: string): Promise<Response | undefined> {
  const file = files[path]
  if (!file) return undefined
  return new Response(await readFile(new URL(file.name, folder)), {
    headers: {
      'content-type': `${file.type}; charset=utf-8`,
      'cache-control': 'no-store',
      // Everything comes from this server, and no script is inline.
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    },
  })
}
