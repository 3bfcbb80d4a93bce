import type { RequestHandler } from 'msw'
import { type SetupWorker, setupWorker } from 'msw/browser'
import { safeReturnTo } from '../contract/return-to.js'
import { assembleMock, type HandlerOptions, type Mock } from './create-mock.js'
import { allowedOrigins } from './engine/allowed-origins.js'
import { pageCookies } from './engine/page-cookies.js'
import { startAndWarnOfOthers } from './other-workers.js'
import { savedState } from './saved-state.js'
import { type OnUnhandledRequest, unhandled } from './unhandled.js'
import { watchWorker } from './watch-worker.js'

export type { State } from '../store/state-file.js'
export type { Fixtures, Mock } from './create-mock.js'
export { watchWorker } from './watch-worker.js'

export type BrowserMockOptions = Omit<HandlerOptions, 'jar'> & {
  /** Keep the state across reloads, in the page's local storage. It is saved after each change. */
  persist?: boolean
  /** How MSW treats requests that no handler answers. By default they go to the network. */
  onUnhandledRequest?: OnUnhandledRequest
  /** The URL of the worker script. */
  serviceWorkerUrl?: string
  /** Do not log each request to the console. */
  quiet?: boolean
}

export type BrowserMock = Omit<Mock, 'handlers'> & { stop(): void }

/** The worker that was started last in this page. Only it answers. */
let newest: SetupWorker | undefined

/**
 * Serves the whole interface to this page through a service worker.
 * The session is the page's own cookie: a persona's id, or `active`. With `session`, the page is signed in as
 * that persona unless it is signed in already. On the sign-in page the promise stays pending: the application does not
 * render there.
 * @throws StateError, UnknownPersonaError, or an Error that explains how to serve the worker script
 */
export async function startMockApi(options: BrowserMockOptions = {}): Promise<BrowserMock> {
  const { persist = false, onUnhandledRequest = 'bypass', quiet = false } = options
  const saved = persist ? savedState(options.baseUrl ?? '') : undefined

  const { mock, load, signIn, taken } = assembleMock({
    ...options,
    async onStateChange(exportState) {
      saved?.write(await exportState())
      await options.onStateChange?.(exportState)
    },
  })
  const stored = saved?.read()
  if (stored) load(stored)

  const { handlers, ...controls } = mock
  const worker = createWorker(handlers)
  worker.events.on('response:mocked', ({ requestId }) => taken(requestId))
  newest = worker
  const isNewest = () => newest === worker
  const startWorker = () =>
    start(worker, {
      ...unhandled(onUnhandledRequest),
      quiet,
      serviceWorker: { url: options.serviceWorkerUrl },
    })
  const others = await startAndWarnOfOthers(worker, startWorker)
  const endWatch = watchWorker(worker, startWorker, () => isNewest() && !others.isReplaced())
  noticeServer(options.baseUrl)
  signIn()
  await showSignInPage(options.baseUrl ?? '', allowedOrigins(options.allowedOrigins)(location.host))

  return {
    ...controls,
    stop() {
      others.end()
      endWatch()
      // Stopping an older worker would stop the newest, for example in React's StrictMode: a page has one worker.
      if (!isNewest()) return
      newest = undefined
      void worker.stop()
    },
  }
}

/** @throws Error in Node, where some test set-ups resolve packages as for a page */
function createWorker(handlers: RequestHandler[]): SetupWorker {
  try {
    return setupWorker(...handlers)
  } catch (cause) {
    const message = 'dashboard-api/browser runs in a page. In Node, in tests too, import dashboard-api/node.'
    throw new Error(message, { cause })
  }
}

/** Reports the mock that Vite's plugin serves on this origin. */
function noticeServer(baseUrl = location.origin): void {
  if (new URL(baseUrl, location.href).origin !== location.origin) return
  if (!document.querySelector('meta[name=dashboard-api]')) return
  console.info(
    'This page has a mock of its own, which answers its requests. That of dashboard-api/vite answers navigations and ' +
      'other programs, from another state. dashboardApi({ server: false }) leaves the one in the page.',
  )
}

async function start(worker: SetupWorker, options: Parameters<SetupWorker['start']>[0]): Promise<void> {
  try {
    await worker.start(options)
  } catch (cause) {
    const url = options?.serviceWorker?.url ?? '/mockServiceWorker.js'
    throw new Error(
      `The mock could not start its service worker. ${await startFault(url)}(${messageOf(cause)})`,
      { cause },
    )
  }
}

/** Why there is no worker, as far as a second look at its script and its registration shows. */
async function startFault(url: string): Promise<string> {
  const response = await fetch(url, { cache: 'no-store' }).catch(() => undefined)
  const type = response?.headers.get('content-type')?.split(';')[0]
  if (response?.ok && /javascript$/.test(type ?? '')) {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
    return workers && (await workers.register(url).catch(String)) === undefined
      ? "`navigator.serviceWorker.register` gave no registration. In Playwright, a context with serviceWorkers: 'block' has none: use dashboard-api/playwright there. "
      : ''
  }
  return (
    `${url} has ${response ? `status ${response.status}${type ? `, ${type}` : ''}` : 'no response'}, and not the script of the ` +
    'worker. Serve it: use the plugin of dashboard-api/vite, or run `npx dashboard-api init PUBLIC_DIR` with the folder of ' +
    'static files. '
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Replaces the application's page with the mock's sign-in page at /auth/sign-in. The worker does not answer navigations, so
 * that a single-page site serves the application there.
 */
async function showSignInPage(baseUrl: string, isAllowed: (origin: string) => boolean): Promise<void> {
  const { origin, pathname } = new URL(`${baseUrl.replace(/\/$/, '')}/auth/sign-in`, location.href)
  if (location.origin !== origin || location.pathname !== pathname) return
  const html = await (await fetch(location.href)).text()
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    html,
    'text/html',
  ).documentElement.innerHTML
  const returnTo = new URL(location.href).searchParams.get('returnTo')
  await new Promise<never>(() => {
    document.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault()
      pageCookies().set((event.submitter as HTMLButtonElement).value)
      location.assign(safeReturnTo(returnTo, location.origin, isAllowed))
    })
  })
}
