import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseStateText } from '../store/state.js'
import { answer } from './answer.js'
import { createMockApi, type MockApi } from './core/mock-api.js'

/** The part of Vite's plugin that this one uses; Vite itself is not needed to load it. */
export type DashboardApiPlugin = {
  name: string
  apply: 'serve'
  configureServer(server: ViteServer): Promise<void>
}

type ViteServer = {
  resolvedUrls: { local: string[] } | null
  middlewares: {
    use(handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): unknown
  }
}

export type VitePluginOptions = {
  /** A state file; the demo fixture where it is left out. */
  fixtures?: string
  /** The persona that `session=active` stands for at first. */
  session?: string
}

const demo = fileURLToPath(new URL('../../fixtures/demo.json', import.meta.url))
const workerScript = '/mockServiceWorker.js'

/**
 * Serves the mock on Vite's own port, and MSW's worker script. It has no part in a build.
 * @throws StateError at start where the fixtures are not a valid state
 */
export function dashboardApi({ fixtures = demo, session }: VitePluginOptions = {}): DashboardApiPlugin {
  return {
    name: 'dashboard-api',
    apply: 'serve',
    async configureServer(server) {
      const state = parseStateText(await readFile(fixtures, 'utf8'))
      const script = await readFile(fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js')))
      let mock: MockApi | undefined

      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? '').split('?', 1)[0] ?? ''
        if (path === workerScript) {
          response.setHeader('content-type', 'text/javascript').end(script)
        } else if (/^\/(v1|auth|docs\/errors|__dev)\//.test(path)) {
          // Vite knows its address once it listens.
          const url = new URL(server.resolvedUrls?.local[0] ?? 'http://localhost').origin
          mock ??= createMockApi({ fixtures: state, session, baseUrl: url })
          void answer(request, response, mock, url)
        } else {
          next()
        }
      })
    },
  }
}
