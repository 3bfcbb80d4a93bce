import type { Page } from 'playwright-core'

/** What a page met that nobody wants to meet, unless it was expected. */
export type Watch = {
  /** Answers of the API with a status of 400 or more, as `409 POST /v1/projects`, each once. */
  refusals: Set<string>
  /** Errors in the console, exceptions, requests that came to nothing, answers from the wrong place. */
  troubles: string[]
}

/** @param inPage whether the API's answers have to come from a service worker, or must not */
export function watch(page: Page, inPage: boolean): Watch {
  const refusals = new Set<string>()
  const troubles: string[] = []

  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // Chromium writes one for each refusal and each lost picture, which are looked at below.
    if (message.text().startsWith('Failed to load resource')) return
    troubles.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    // The demo fixture's pictures are at an address that is nobody's.
    if (request.url().startsWith('https://avatars.example/')) return
    // What a page that is left had not got yet.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return
    troubles.push(`failed: ${request.method()} ${request.url()} ${request.failure()?.errorText}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    const method = response.request().method()
    if (response.status() >= 400) refusals.add(`${response.status()} ${method} ${endpoint(pathname)}`)
    if (pathname.startsWith('/v1/') && response.fromServiceWorker() !== inPage) {
      troubles.push(`answered ${inPage ? 'past' : 'by'} a worker: ${method} ${pathname}`)
    }
  })
  return { refusals, troubles }
}

const endpoint = (path: string) => path.replace(/^(\/v1\/projects\/).+/, '$1{projectId}')
