import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rolldown } from 'rolldown'
import type { BrowserMock, BrowserMockOptions } from '../../src/mock/browser.js'

declare global {
  // The globals of the application below, for functions that run in the page.
  var starting: Promise<BrowserMock>
  var mock: BrowserMock
  var app: typeof import('../../src/mock/browser.js') &
    typeof import('../../src/mock/msw.js') &
    typeof import('../../src/mock/panel.js') &
    typeof import('../../src/mock/control.js') &
    Pick<typeof import('msw'), 'HttpResponse' | 'http'> &
    typeof import('../mock/msw-recipes.js') &
    typeof import('msw/browser')
  /** Loads React, which the application itself does not use. The tests run where the examples' react-dom is installed. */
  var loadReact: () => Promise<
    Pick<typeof import('react'), 'createElement' | 'StrictMode' | 'useEffect' | 'useState'> & {
      createRoot(container: Element): { render(node: unknown): void }
    }
  >
}

export type MockSite = {
  /** The options that the application passes to the mock from the next page load on. */
  options: Omit<
    BrowserMockOptions,
    'handlers' | 'jar' | 'docsUrl' | 'now' | 'newId' | 'onRequest' | 'onError'
  >
  /** The worker script; undefined if the site does not serve it. */
  workerScript: string | undefined
  /** The headers of the page. */
  headers: Record<string, string>
  /** The content of the page's head. */
  head: string
  /** Whether unknown paths get the page of the application, as on single-page hosts. */
  fallsBack: boolean
  /** The JSON of the site's own service, by path. */
  service: Record<string, unknown>
  /** Requests for the mock that reached the network. */
  reached: string[]
  readonly url: string
  /** Restores the default settings. */
  reset(): void
  close(): Promise<void>
}

const installedScript = readFileSync(
  new URL('../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url),
  'utf8',
)

const defaults = () => ({
  options: {},
  head: '',
  headers: {},
  workerScript: installedScript,
  fallsBack: false,
  service: {},
  reached: [],
})

/**
 * Serves a site without Vite. Every path that ends with a slash is a page that starts the mock of the built package. Tests may
 * change the settings between page loads.
 */
export async function serveMockSite(): Promise<MockSite> {
  const script = await bundle(exported)
  let react: Promise<string> | undefined
  const page = () => `<!doctype html>
<title>The application</title>${site.head}
<h1>The application</h1>
<script type="module" src="/start.js"></script>`
  const start = () => `
  import * as app from '/app.js'
  globalThis.app = app
  globalThis.loadReact = () => import('/react.js')
  globalThis.starting = app.startMockApi(${JSON.stringify({ quiet: true, ...site.options })})
  globalThis.starting.then((mock) => { globalThis.mock = mock }, () => {})`

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://site').pathname
    const send = (type: string, body: string) => response.setHeader('content-type', type).end(body)
    if (path === '/app.js') return send('text/javascript', script)
    if (path === '/react.js') {
      react ??= bundle(ofReact)
      return send('text/javascript', await react)
    }
    if (path === '/mockServiceWorker.js' && site.workerScript !== undefined) {
      return send('text/javascript', site.workerScript)
    }
    if (path === '/start.js') return send('text/javascript', start())
    if (path.endsWith('/')) {
      for (const [name, value] of Object.entries(site.headers)) response.setHeader(name, value)
      return send('text/html', page())
    }
    if (/^\/(v1|auth|docs)\//.test(path)) site.reached.push(`${request.method} ${path}`)
    if (site.service[path]) return send('application/json', JSON.stringify(site.service[path]))
    if (site.fallsBack) return send('text/html', page())
    response.statusCode = 404
    response.end('The site has no such file.')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

  const site: MockSite = {
    ...defaults(),
    reset: () => Object.assign(site, defaults()),
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
  export { startMockApi, watchWorker } from 'dashboard-api/browser'
  export { connectToMock } from 'dashboard-api/control'
  export { mockPanel } from 'dashboard-api/panel'
  export { createHandlers, createMock } from 'dashboard-api/msw'
  export { HttpResponse, http } from 'msw'
  export { setupWorker } from 'msw/browser'
  export { handlers, recipes } from '../mock/msw-recipes.js'`

const ofReact = `
  export { createElement, StrictMode, useEffect, useState } from 'react'
  export { createRoot } from 'react-dom/client'`

/** Bundles exports for a page. */
async function bundle(code: string): Promise<string> {
  const entry = new URL('mock-site-entry.js', import.meta.url).pathname
  const bundled = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
  })
  const { output } = await bundled.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}
