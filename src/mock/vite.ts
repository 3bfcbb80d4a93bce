import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requestHost } from '../http/request-target.js'
import { parseStateText } from '../store/parse-state-text.js'
import type { State } from '../store/state-file.js'
import { framedBy } from './engine/framed-headers.js'
import { isCommonJs, loadCommonJs } from './handlers/vite-commonjs.js'
import {
  createViteHandlers,
  environmentOptions,
  type HandlersServer,
  handlersEnvironment,
  type ViteHandlers,
} from './handlers/vite-handlers.js'
import type { TransformContext } from './handlers/vite-imports.js'
import { createMockShell } from './http/mock-shell.js'
import { productionEnvironment } from './http/production-environment.js'
import { prepareMock } from './http/served-mock.js'
import { takes } from './http/takes.js'
import type { MockOptions } from './log/log-parts.js'
import { createMockApi } from './mock-api.js'
import { bridgeModule, bridgePath, createPageBridge, type ViteSocket } from './page-bridge.js'
import { personaNamed } from './state/personas.js'
import { workerScriptFile, workerScriptName } from './worker-script.js'

/** The used parts of Vite's types, so that loading the plugin does not need Vite. */
export type DashboardApiPlugin = {
  name: string
  apply: 'serve'
  config(): {
    server?: { proxy: Record<string, { target: string; changeOrigin: boolean }> }
    environments?: Record<string, typeof environmentOptions>
  }
  configureServer(server: ViteServer): Promise<void>
  resolveId(id: string): string | undefined
  load(id: string): string | undefined
  transform(
    this: TransformContext & PluginContext,
    code: string,
    id: string,
  ): Promise<{ code: string; map: null } | undefined>
  hotUpdate: {
    order: 'post'
    handler(this: PluginContext, update: { modules: object[] }): never[] | undefined
  }
  configurePreviewServer(server: Pick<ViteServer, 'config'>): void
  transformIndexHtml(
    html: string,
    context: { server?: Pick<ViteServer, 'config'> },
  ): { tag: string; attrs: Record<string, string> }[]
}

type PluginContext = { environment?: { name: string } }

type ViteServer = HandlersServer & {
  config: { root: string; base: string; logger: { info(text: string): void; warn(text: string): void } }
  httpServer: { once(event: 'close', listener: () => void): unknown } | null
  close(): Promise<void>
  ws: ViteSocket
  resolvedUrls: { local: string[]; network: string[] } | null
  printUrls(): void
  middlewares: {
    use(handle: (request: IncomingMessage, response: ServerResponse, next: () => void) => void): unknown
  }
}

export type VitePluginOptions = Pick<
  MockOptions,
  'session' | 'delay' | 'chaos' | 'clock' | 'seed' | 'unknown' | 'allowedOrigins'
> & {
  /** A state file, relative to Vite's root, as the other files are. Saving it reloads it. Default: the demo fixture. */
  fixtures?: string
  /** A JavaScript or TypeScript file of MSW handlers, which come first. Saving it reloads them. */
  handlers?: string
  /** A state file that keeps the state over restarts. */
  persist?: string
  /** The networks and addresses that may control the mock, beside this machine, e.g. `172.17.0.0/16`. */
  allowControl?: readonly string[]
  /** The folder for snapshots. By default they last as long as Vite. */
  snapshots?: string
  /** A server for unknown requests below /v1/. */
  proxy?: string
  /** `false` serves only the worker script, for a mock that the page starts. */
  server?: boolean
}

const demo = fileURLToPath(new URL('../../fixtures/demo.json', import.meta.url))

/** The paths that the mock always answers. For all others, `takes` decides. */
const mockPath = /^\/(docs\/errors\/|__dev\/|auth\/sign-(in|out)$)/

/** Tells a page that starts its own mock that its origin has one already. */
const announcement = { tag: 'meta', attrs: { name: 'dashboard-api', content: 'mock' } }

const workbenchPath = '/__dev/workbench'
const bridgeAt = (base: string) => ({
  tag: 'script',
  attrs: { type: 'module', src: base.replace(/\/$/, '') + bridgePath },
})
const workbench = { tag: 'meta', attrs: { name: 'dashboard-api-workbench', content: workbenchPath } }

/**
 * Serves the mock and MSW's worker script on Vite's own port. It has no effect on builds. Vite does not start if a file is
 * invalid, the fixtures lack the persona, or NODE_ENV is `production`.
 */
export function dashboardApi(options: VitePluginOptions = {}): DashboardApiPlugin {
  const { proxy, handlers, server: serves = true } = options
  const isOfHandlers = ({ environment }: PluginContext) => environment?.name === handlersEnvironment
  let own: ViteHandlers | undefined
  return {
    name: 'dashboard-api',
    apply: 'serve',
    config: () => ({
      ...(proxy !== undefined && { server: { proxy: { '^/v1/': { target: proxy, changeOrigin: true } } } }),
      ...(handlers !== undefined && { environments: { [handlersEnvironment]: environmentOptions } }),
    }),
    resolveId: (id) => (id === bridgePath || isCommonJs(id) ? id : undefined),
    load(id) {
      if (id === bridgePath) return bridgeModule
      return isCommonJs(id) ? loadCommonJs(id) : undefined
    },
    async transform(code, id) {
      if (!own || !isOfHandlers(this) || !/\.([cm]?[jt]s|[jt]sx)$/.test(id)) return
      return { code: await own.transform(this, code, id), map: null }
    },
    hotUpdate: {
      order: 'post',
      handler({ modules }) {
        if (!isOfHandlers(this)) return
        own?.update(modules)
        return []
      },
    },
    transformIndexHtml(_html, { server }) {
      const tags = [workbench, bridgeAt(server?.config.base ?? '/')]
      return serves ? [announcement, ...tags] : tags
    },
    async configureServer(server) {
      const environment = productionEnvironment()
      if (environment !== undefined) {
        throw new Error(
          `dashboard-api/vite does not run where NODE_ENV is ${environment}: anyone can sign in as anyone. ` +
            'Unset NODE_ENV, or leave the plugin out.',
        )
      }
      server.middlewares.use(createPageBridge(server.ws))
      const script = await readFile(workerScriptFile())
      server.middlewares.use((request, response, next) => {
        const path = pathOf(request)
        // Also below Vite's base, as in MSW's guide.
        if (path.endsWith(`/${workerScriptName}`)) {
          response.setHeader('content-type', 'text/javascript')
          response.end(script)
        } else if (path === workbenchPath) {
          // The document itself has the rest of its policy.
          response.setHeader('content-security-policy', framedBy)
          // For a page with this policy.
          response.setHeader('cross-origin-embedder-policy', 'require-corp')
          response.setHeader('content-type', 'text/html; charset=utf-8')
          import('#workbench-document').then(({ default: html }) => response.end(html), next)
        } else next()
      })
      own = createViteHandlers(server)
      if (serves) await serveOn(server, options, own.open)
    },
    configurePreviewServer({ config: { logger } }) {
      logger.warn(
        'dashboard-api: vite preview serves the build without the mock, as production has it. Run npx dashboard-api dev ' +
          'beside it, and lead its paths there: preview: { proxy: { "^/(v1|auth|docs)/": "http://localhost:4010" } }.',
      )
    },
  }
}

async function serveOn(
  server: ViteServer,
  options: VitePluginOptions,
  openHandlers: ViteHandlers['open'],
): Promise<void> {
  const { fixtures = demo, session, proxy, unknown = proxy === undefined ? 'answer' : 'pass' } = options
  const { root, logger } = server.config
  const inRoot = (path: string | undefined) => (path === undefined ? undefined : resolve(root, path))
  const file = resolve(root, fixtures)
  const report = (path: string, what: string) => (error?: Error) =>
    error
      ? logger.warn(`dashboard-api: ${path} is wrong, the last ${what} stay: ${error.message}`)
      : logger.info(`dashboard-api: the ${what} were reloaded`)

  const onTwoSites = (advice: string) => logger.warn(`dashboard-api: ${advice}.`)
  const state = await readFixtures(file, session)
  // Refuses invalid options now. The mock is created when Vite listens and its address is known.
  void createMockApi({
    ...options,
    fixtures: state,
    baseUrl: 'http://localhost',
    handlers: undefined,
    snapshots: undefined,
  })

  const prepared = await prepareMock({
    ...options,
    unknown,
    project: root,
    fixtures: state,
    watch: file,
    onFixtures: report(fixtures, 'fixtures'),
    handlers: inRoot(options.handlers),
    openHandlers,
    onHandlers: report(options.handlers ?? '', 'handlers'),
    persist: inRoot(options.persist),
    snapshots: inRoot(options.snapshots),
  })
  const { close, printUrls } = server
  // A restart closes only the plugin's own server. As middleware, also in Vitest, there is none.
  server.httpServer?.once('close', prepared.close)
  server.close = () => {
    prepared.close()
    return close()
  }

  const shell = createMockShell({ ...options, onTwoSites, isGuest: true })
  await shell.app.ready()
  let served: ReturnType<typeof prepared.createAt> | undefined
  server.middlewares.use((request, response, next) => {
    if (!served) {
      served = prepared.createAt(originOf(server, request))
      shell.setMocks(served)
      for (const warning of served.warnings) logger.warn(`dashboard-api: ${warning}`)
    }
    const answer = () => shell.handle(request, response, next)
    if (mockPath.test(pathOf(request))) return answer()
    void takes(served, request, response)
      .catch(() => false)
      .then((isTaken) => (isTaken ? answer() : next()))
  })

  server.printUrls = () => {
    printUrls()
    const [url] = server.resolvedUrls?.local ?? []
    if (url) logger.info(`  ➜  Mock:    ${new URL('/__dev/', url)}`)
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** The page's origin. Vite knows it once it listens, but not as middleware of another server. */
function originOf({ resolvedUrls }: ViteServer, request: IncomingMessage): string {
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  const [url = `${scheme}://${requestHost(request) || 'localhost'}`] = resolvedUrls
    ? [...resolvedUrls.local, ...resolvedUrls.network]
    : []
  return new URL(url).origin
}

/** @throws Error with the file and its fault */
async function readFixtures(file: string, session: string | undefined): Promise<State> {
  try {
    const state = await parseStateText(await readFile(file, 'utf8'))
    if (session !== undefined) personaNamed(session, state.sessions)
    return state
  } catch (error) {
    throw new Error(`dashboard-api cannot use the fixtures of ${file}:\n${(error as Error).message}`)
  }
}
