import { HttpResponse, RequestHandler } from 'msw'
import type { SetupWorker } from 'msw/browser'

/** The path of the page's probe of its worker. MSW does not warn about a file. */
const probePath = '/__dev/worker.txt'

/** How long the page waits after an event that may have ended the worker: a navigation would end the page meanwhile. */
const settleMs = 400
/** The interval of checks for a sleep of the page, and the length of a sleep. */
const tickMs = 2_000
const sleepMs = 10_000
/** The most named requests, and the most remembered URLs. */
const maxNamed = 5
const maxUrls = 1_000

/** Answers the probe of `watchWorker`, which is neither logged nor printed. */
class ProbeHandler extends RequestHandler {
  constructor() {
    super({
      info: { header: `HEAD ${probePath}` },
      resolver: () => new HttpResponse(null, { status: 204 }),
    })
  }
  override predicate({ request }: { request: Request }): boolean {
    return request.method === 'HEAD' && new URL(request.url).pathname === probePath
  }
  override log(): void {}
}

/**
 * Starts a worker again that has stopped answering. A browser stops a worker that is idle, or at the wish of a developer, and
 * MSW 2 forgets its pages then; it also ends the mock of a page that a `mailto:` link, a download, a cancelled `beforeunload`
 * or a response 204 has not left. Requests would go to the site, which often answers with the application itself.
 * `startMockApi` does this itself. For a worker of your own, which has started:
 *
 *     await worker.start(options)
 *     watchWorker(worker, () => worker.start(options))
 *
 * `worker.stop()` ends the observation.
 * @param start starts the worker anew
 * @param isCurrent whether the worker is the one of this page that shall answer; it is, if left out
 * @returns a function that ends the observation
 */
export function watchWorker(
  worker: SetupWorker,
  start: () => Promise<unknown>,
  isCurrent: () => boolean = () => true,
): () => void {
  worker.use(new ProbeHandler())
  const ended = new AbortController()
  const { signal } = ended
  const { stop } = worker
  worker.stop = () => {
    end()
    return stop.call(worker)
  }
  /** When the worker last passed on a request, by URL. */
  const passedOn = new Map<string, number>()
  /** The requests that the worker has missed since its last answer. */
  let missed: string[] = []
  let isChecking = false
  let hasFailed = false

  worker.events.on('request:start', ({ request }) => {
    if (passedOn.size >= maxUrls) passedOn.clear()
    passedOn.set(request.url, performance.now())
  })

  /** Whether requests of this page reach the worker. */
  async function answers(): Promise<boolean> {
    const url = new URL(probePath, location.href)
    // A cache or another page must not answer.
    url.searchParams.set('at', `${performance.now()}`)
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
    // Without a response the site is unreachable, and the page is probably being left.
    return response === undefined || passedOn.delete(url.href)
  }

  async function check(): Promise<void> {
    if (signal.aborted || !isCurrent()) return
    if (await answers()) {
      missed = []
      return
    }
    // Another worker of MSW may answer instead, which is noticed by then.
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    if (signal.aborted || !isCurrent()) return
    const names = [...new Set(missed)]
    missed = []
    let failure: unknown
    try {
      await stop.call(worker)
      await start()
    } catch (error) {
      failure = error
    }
    if (!failure && (await answers())) {
      hasFailed = false
      const lost = names.length > 0 ? ` Requests that went to the network meanwhile: ${list(names)}.` : ''
      console[names.length > 0 ? 'warn' : 'info'](
        `The worker of the mock had stopped answering; it was started again, and answers.${lost}`,
      )
      return
    }
    if (hasFailed) return
    hasFailed = true
    const result = failure
      ? `cannot be started again (${failure})`
      : 'was started again, and still gets no request of the page'
    console.error(`The mock no longer answers: its worker ${result}. Reload the page.`)
  }

  const checkOnce = () => {
    if (isChecking) return
    isChecking = true
    void check().finally(() => {
      isChecking = false
    })
  }
  const checkSoon = () => setTimeout(checkOnce, settleMs)

  addEventListener('beforeunload', checkSoon, { signal })
  addEventListener('pageshow', checkSoon, { signal })
  document.addEventListener('visibilitychange', () => document.hidden || checkOnce(), { signal })

  let lastTick = performance.now()
  const ticking = setInterval(() => {
    const slept = performance.now() - lastTick - tickMs
    lastTick = performance.now()
    if (slept > sleepMs && !document.hidden) checkOnce()
  }, tickMs)

  // A response whose request the worker has not passed on raises a suspicion.
  const observer = new PerformanceObserver((entries) => {
    for (const { name, startTime, initiatorType } of entries.getEntries() as PerformanceResourceTiming[]) {
      if (initiatorType !== 'fetch' && initiatorType !== 'xmlhttprequest') continue
      const url = new URL(name)
      if (url.pathname === probePath || (passedOn.get(name) ?? Number.NEGATIVE_INFINITY) >= startTime)
        continue
      missed.push(`${url.origin === location.origin ? '' : url.origin}${url.pathname}`)
      checkOnce()
    }
    missed = missed.slice(-100)
  })
  observer.observe({ type: 'resource' })

  function end(): void {
    worker.stop = stop
    ended.abort()
    observer.disconnect()
    clearInterval(ticking)
  }
  return end
}

const list = (names: string[]): string =>
  names.length > maxNamed
    ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
    : names.join(', ')
