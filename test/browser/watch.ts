import type { Page } from 'playwright-core'

/** The errors of a page. */
export type Watch = {
  /** Error responses of the API, such as `409 POST /v1/projects`, without duplicates. */
  refusals: Set<string>
  /** Console errors, exceptions, failed requests, and responses from the wrong back end. */
  problems: string[]
}

/** @param inPage whether responses of the API must come from a service worker, or must not */
export function watch(page: Page, inPage: boolean): Watch {
  const refusals = new Set<string>()
  const problems: string[] = []

  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium logs error responses and failed requests, which are checked below.
    if (message.text().startsWith('Failed to load resource')) return
    problems.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    // The pictures of the demo fixture have addresses that do not exist.
    if (request.url().startsWith('https://avatars.example/')) return
    // Navigation cancels pending requests.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return
    problems.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const method = response.request().method()
    // A page that is unloaded slowly, as when Vite reloads it, asks whether its worker still answers.
    if (pathname === '/__dev/worker.txt') return
    if (response.status() >= 400) refusals.add(`${response.status()} ${method} ${endpoint(pathname)}`)
    if (pathname.startsWith('/v1/') && response.fromServiceWorker() !== inPage) {
      problems.push(`${inPage ? 'not answered' : 'answered'} by a worker: ${method} ${pathname}`)
    }
  })
  return { refusals, problems }
}

const endpoint = (path: string) => path.replace(/^(\/v1\/projects\/).+/, '$1{projectId}')
