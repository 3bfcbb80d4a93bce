import type { Page } from 'playwright-core'
import type { AnyStep, Case, Step } from '../../src/conformance/cases/case.js'
import { launchBrowser } from '../browser/launch.js'
import { serveMockSite } from '../browser/mock-site.js'
import { demoData } from './demo-data.js'
import type { SuiteTarget } from './run.js'
import { sendWithFetch } from './send-with-fetch.js'
import type { Stored } from './start-dev-server.js'

/** Starts the mock in a page of a real browser. Requests use the page's own fetch and cookies. */
export async function startWorker(): Promise<SuiteTarget & Stored> {
  const site = await serveMockSite()
  const browser = await launchBrowser()
  const page = await browser.newPage()
  // In a folder, so that the page can have two cookies of the same name.
  await page.goto(`${site.url}${folder}/`)
  await page.evaluate(() => globalThis.starting)
  return {
    mode: 'mock',
    baseUrl: site.url,
    data: demoData,
    cookieOf: (persona) => `session=${persona}`,
    fetch: fetchIn(page),
    send: sendWithFetch(fetchIn(page)),
    isServer: false,
    docsBases: new Set(),
    skipReason,
    stored: () => page.evaluate(() => globalThis.mock.state.export()),
    async reset() {
      await page.evaluate(() => globalThis.mock.reset())
      if (site.reached.length > 0) throw new Error(`The worker did not handle: ${site.reached}`)
    },
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

const folder = '/folder'

/** Returns why a page cannot run a case; undefined where it can. */
function skipReason({ steps }: Case): string | undefined {
  for (const entry of steps) {
    const concurrent = [entry].flat()
    const callers = concurrent.map((step) => (typeof step === 'function' ? undefined : step.as))
    if (new Set(callers).size > 1) return 'a page is one caller at a time'
    for (const step of concurrent) {
      const reason = cannotSend(step) ?? cannotSee(Object(step).expect)
      if (reason) return reason
    }
  }
  return undefined
}

function cannotSend(request: AnyStep): string | undefined {
  if (typeof request === 'function') return undefined
  if (request.cookies?.(() => '').some((cookie) => cookie.length > 4096))
    return 'a browser stores no cookie of more than 4096 bytes'
  return /\/auth\/sign-out\?returnTo=/.test(request.path)
    ? 'a page cannot read the location of a redirect'
    : undefined
}

function cannotSee(expected: Step['expect']): string | undefined {
  if (typeof expected !== 'object') return undefined
  if (expected.status === 303) return 'a page cannot read the location of a redirect'
  return expected.headers?.['set-cookie'] ? 'a page cannot read Set-Cookie' : undefined
}

/** The page's fetch. A Cookie header is set as the page's own cookies, because scripts cannot send one. */
function fetchIn(page: Page): typeof fetch {
  return async (url, { method, headers: init, body } = {}) => {
    const headers = (init ?? []) as [string, string][]
    const response = await page.evaluate(send, {
      folder,
      url: String(url),
      method,
      headers: headers.filter(([name]) => name !== 'cookie'),
      cookies: headers.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/;\s*/)),
      bytes: body ? Buffer.from(await new Response(body).arrayBuffer()).toString('base64') : undefined,
      inChunks: body instanceof ReadableStream,
    })
    return new Response(response.text || null, response)
  }
}

type PageRequest = {
  folder: string
  url: string
  method: string | undefined
  headers: [string, string][]
  cookies: string[]
  /** The body in base64. */
  bytes: string | undefined
  inChunks: boolean
}

/** Runs in the page. */
async function send({ folder, url, method, headers, cookies, bytes, inChunks }: PageRequest) {
  const setCookie = (cookie: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the mock reads it there
    document.cookie = cookie
  }
  const nameOf = (pair: string) => pair.split('=', 1)[0]
  for (const pair of document.cookie.split('; ')) {
    for (const path of ['/', folder]) setCookie(`${nameOf(pair)}=; Path=${path}; Max-Age=0`)
  }
  for (const [i, pair] of cookies.entries()) {
    const isSecond = cookies.slice(0, i).some((other) => nameOf(other) === nameOf(pair))
    setCookie(`${pair}; Path=${isSecond ? folder : '/'}`)
  }
  const actual = document.cookie.split('; ').filter(Boolean)
  if (actual.sort().join() !== cookies.sort().join()) {
    throw new Error(`The page has the cookies ${actual} instead of ${cookies}.`)
  }

  const body = bytes === undefined ? undefined : Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body && { body: inChunks ? new Blob([body]).stream() : body }),
    ...(inChunks && { duplex: 'half' }),
  } as RequestInit)
  const { status } = response
  return { status, headers: Object.fromEntries(response.headers), text: await response.text() }
}
