import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseStateText } from '../store/parse-state-text.js'
import type { State } from '../store/state-file.js'
import { createMockApi } from './core/mock-api.js'
import { personaNamed } from './core/personas.js'
import { createDocsUrl } from './http/docs-url.js'
import { type NodeRequest, type NodeResponse, requestHost } from './http/node-http.js'
import { createRequestListener } from './http/request-listener.js'
import { createSpaces } from './http/spaces.js'
import { workerScriptFile, workerScriptName } from './worker-script.js'

/** The part of Vite's plugin type that is used here, so that loading the plugin does not need Vite. */
export type DashboardApiPlugin = {
  name: string
  apply: 'serve'
  configureServer(server: ViteServer): Promise<void>
}

type ViteServer = {
  config: { root: string }
  resolvedUrls: { local: string[]; network: string[] } | null
  middlewares: {
    use(handle: (request: NodeRequest, response: NodeResponse, next: () => void) => void): unknown
  }
}

export type VitePluginOptions = {
  /** A state file, relative to Vite's root. Defaults to the demo fixture. */
  fixtures?: string
  /** The persona that `session=active` initially stands for. */
  session?: string
}

const demo = fileURLToPath(new URL('../../fixtures/demo.json', import.meta.url))

/** The mock's paths. All others, below /auth/ too, are the application's. */
const mockPath = /^\/(v1\/|docs\/errors\/|__dev\/|auth\/sign-(in|out)$)/

/**
 * Serves the mock and MSW's worker script on Vite's own port. It has no effect on builds.
 * Vite does not start if the state file is not valid or lacks the persona, or if NODE_ENV is `production`.
 */
export function dashboardApi({ fixtures = demo, session }: VitePluginOptions = {}): DashboardApiPlugin {
  return {
    name: 'dashboard-api',
    apply: 'serve',
    async configureServer(server) {
      if (process.env.NODE_ENV === 'production') {
        throw new Error(
          'dashboard-api/vite does not run where NODE_ENV is production: anyone can sign in as anyone. ' +
            'Unset NODE_ENV, or leave the plugin out.',
        )
      }
      const state = await readFixtures(resolve(server.config.root, fixtures), session)
      const script = await readFile(workerScriptFile())
      let answer: ReturnType<typeof createRequestListener> | undefined

      const create = (url: string) =>
        createRequestListener({
          url,
          spaces: createSpaces((space) =>
            createMockApi({
              fixtures: state,
              session,
              baseUrl: url,
              docsUrl: createDocsUrl(url),
              space,
            }),
          ),
        })

      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? '').split('?', 1)[0] ?? ''
        if (path === `/${workerScriptName}`) {
          response.setHeader('content-type', 'text/javascript')
          response.end(script)
        } else if (mockPath.test(path)) {
          answer ??= create(originOf(server, request))
          void answer(request, response)
        } else {
          next()
        }
      })
    },
  }
}

/** The page's origin. Vite knows it once it listens, but not as middleware of another server. */
function originOf({ resolvedUrls }: ViteServer, request: NodeRequest): string {
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const [url = `${scheme}://${requestHost(request) || 'localhost'}`] = resolvedUrls
    ? [...resolvedUrls.local, ...resolvedUrls.network]
    : []
  return new URL(url).origin
}

/** @throws Error that names the file and what is wrong with it */
async function readFixtures(file: string, session: string | undefined): Promise<State> {
  try {
    const state = await parseStateText(await readFile(file, 'utf8'))
    if (session !== undefined) personaNamed(session, state.sessions)
    return state
  } catch (error) {
    throw new Error(`dashboard-api cannot use the fixtures of ${file}:\n${(error as Error).message}`)
  }
}
