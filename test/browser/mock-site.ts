import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rolldown } from 'rolldown'
import type { BrowserMock, BrowserMockOptions } from '../../src/mock/browser.js'

declare global {
  // What the application below has, for functions that run in its page.
  var starting: Promise<BrowserMock>
  var mock: BrowserMock
  var app: typeof import('../../src/mock/browser.js') &
    typeof import('../../src/mock/msw.js') &
    typeof import('msw/browser')
}

export type MockSite = {
  /** What the application starts the mock with, from the next page load on. */
  options: Omit<BrowserMockOptions, 'jar' | 'docsUrl' | 'now' | 'newId' | 'onRequest' | 'onError'>
  /** Undefined: the site does not have it. */
  workerScript: string | undefined
  /** Whether a path that is not there is answered with the application's page, as single-page hosts do. */
  fallsBack: boolean
  /** The requests for the mock that came over the network. */
  reached: string[]
  readonly url: string
  /** Back to a site as it should be. */
  reset(): void
  close(): Promise<void>
}

const installedScript = readFileSync(
  new URL('../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url),
  'utf8',
)

const atFirst = () => ({ options: {}, workerScript: installedScript, fallsBack: false, reached: [] })

/**
 * A site without Vite: one application, whose every page (a path with a slash at the end) starts the mock of the
 * built package. Its settings may be changed between page loads.
 */
export async function serveMockSite(): Promise<MockSite> {
  const script = await bundle()
  const page = () => `<!doctype html>
<title>The application</title>
<h1>The application</h1>
<script type="module">
  import * as app from '/app.js'
  globalThis.app = app
  globalThis.starting = app.startMockApi(${JSON.stringify({ quiet: true, ...site.options })})
  globalThis.starting.then((mock) => { globalThis.mock = mock }, () => {})
</script>`

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://site').pathname
    const send = (type: string, body: string) => response.setHeader('content-type', type).end(body)
    if (path === '/app.js') return send('text/javascript', script)
    if (path === '/mockServiceWorker.js' && site.workerScript !== undefined) {
      return send('text/javascript', site.workerScript)
    }
    if (path.endsWith('/')) return send('text/html', page())
    if (/^\/(v1|auth|docs)\//.test(path)) site.reached.push(`${request.method} ${path}`)
    if (site.fallsBack) return send('text/html', page())
    response.statusCode = 404
    response.end('The site has no such file.')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

  const site: MockSite = {
    ...atFirst(),
    reset: () => Object.assign(site, atFirst()),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return site
}

const exported = `
  export { startMockApi } from 'dashboard-api/browser'
  export { createHandlers } from 'dashboard-api/msw'
  export { setupWorker } from 'msw/browser'`

/** The entry points as a bundler makes them for a page. */
async function bundle(): Promise<string> {
  const entry = new URL('mock-site-entry.js', import.meta.url).pathname
  const made = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? exported : undefined),
      },
    ],
  })
  const { output } = await made.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}
