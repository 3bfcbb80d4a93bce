import type { Page } from 'playwright-core'
import { type SentRequest, Unsendable } from '../../src/conformance/target.js'
import { launchBrowser } from '../browser/launch.js'
import { serveMockSite } from '../browser/mock-site.js'
import { sendWithFetch } from './send-with-fetch.js'
import { personaOf, type StartedTarget } from './start-dev-server.js'

/** Starts the mock in a page of a real browser. Requests use the fetch and the cookies of the page. */
export async function startWorker(): Promise<StartedTarget> {
  const site = await serveMockSite()
  const browser = await launchBrowser()
  const page = await browser.newPage()
  // In a folder, so that the page can have two cookies with the same name.
  await page.goto(`${site.url}${folder}/`)
  await page.evaluate(() => globalThis.starting)
  const sendByFetch = sendWithFetch(fetchIn(page))
  // A page has the cookies of only one caller at a time.
  let last: Promise<unknown> = Promise.resolve()
  const sendInTurn = (request: SentRequest) => {
    const sent = last.then(() => sendByFetch(request))
    last = sent.catch(() => {})
    return sent
  }
  return {
    mode: 'mock',
    baseUrl: site.url,
    cookieOf: (as) => `session=${personaOf(as)}`,
    fetch: fetchIn(page),
    async send(request) {
      const reason = cannotSend(request)
      if (reason) throw new Unsendable(reason)
      return sendInTurn(request)
    },
    isServer: false,
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

/** The reason why a page cannot send a request or read its response. */
function cannotSend({ method, path, headers }: SentRequest): string | undefined {
  if (headers.some(([name, value]) => name === 'cookie' && value.length > 4096))
    return 'a browser stores no cookie of more than 4096 bytes'
  if (headers.some(([name, value]) => name === 'cookie' && /(^|;) ?(=|;|[^=;]+(;|$))/.test(value)))
    return 'a page cannot delete a cookie without a name again'
  return method === 'POST' && path.startsWith('/auth/')
    ? 'a page cannot read the location of a redirect, nor Set-Cookie'
    : undefined
}

/** The fetch of the page. A Cookie header becomes cookies of the page, because scripts cannot send the header. */
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
