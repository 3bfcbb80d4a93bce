import type { Page } from 'playwright-core'
import type { Case, CaseRequest, Expectation } from '../../src/verify/cases/case.js'
import type { Target } from '../../src/verify/runner/target.js'
import { launchBrowser } from '../browser/launch.js'
import { serveMockSite } from '../browser/mock-site.js'
import { demoData } from './demo-data.js'
import type { SuiteTarget } from './run.js'
import type { Stored } from './start-dev-server.js'

/** The mock in a page of a real browser, whose own fetch asks and whose own cookies say who does. */
export async function startWorker(): Promise<SuiteTarget & Stored> {
  const site = await serveMockSite()
  const browser = await launchBrowser()
  const page = await browser.newPage()
  // Below a folder, so that it can have two cookies of one name.
  await page.goto(`${site.url}${folder}/`)
  await page.evaluate(() => globalThis.starting)
  return {
    mode: 'mock',
    baseUrl: site.url,
    data: demoData,
    cookieOf: (persona) => `session=${persona}`,
    ownsOrigin: false,
    fetch: fetchIn(page),
    skipReason,
    stored: () => page.evaluate(() => globalThis.mock.export()),
    async reset() {
      await page.evaluate(() => globalThis.mock.reset())
      if (site.reached.length > 0) throw new Error(`Went past the worker: ${site.reached}`)
    },
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

const folder = '/folder'

/** What a page cannot do, whoever answers it. */
function skipReason({ steps }: Case): string | undefined {
  for (const entry of steps) {
    const concurrent = 'concurrent' in entry ? entry.concurrent : [entry]
    const callers = concurrent.map(({ request }) => (typeof request === 'function' ? undefined : request.as))
    if (new Set(callers).size > 1) return 'a page is one caller at a time'
    for (const { request, expect } of concurrent) {
      const reason = cannotSend(request) ?? cannotSee(expect)
      if (reason) return reason
    }
  }
  return undefined
}

const cannotSend = (request: CaseRequest | ((...args: never[]) => CaseRequest)): string | undefined =>
  typeof request === 'object' && request.cookies?.(() => '').some((cookie) => cookie.length > 4096)
    ? 'a browser keeps no cookie of more than 4096 bytes'
    : undefined

function cannotSee(expected: Expectation | ((...args: never[]) => Expectation)): string | undefined {
  if (typeof expected === 'function') return undefined
  if (expected.status === 303) return 'a page does not see where a redirect leads'
  return expected.headers?.['set-cookie'] ? 'a page does not see Set-Cookie' : undefined
}

/** The page's fetch. A Cookie header becomes the page's own cookies, which no script can send as a header. */
function fetchIn(page: Page): Target['fetch'] {
  return async (url, { method, headers: init, body } = {}) => {
    const headers = (init ?? []) as [string, string][]
    const answer = await page.evaluate(ask, {
      folder,
      url: String(url),
      method,
      headers: headers.filter(([name]) => name !== 'cookie'),
      cookies: headers.filter(([name]) => name === 'cookie').flatMap(([, value]) => value.split(/;\s*/)),
      bytes: body ? Buffer.from(await new Response(body).arrayBuffer()).toString('base64') : undefined,
      inChunks: body instanceof ReadableStream,
    })
    return new Response(answer.text || null, answer)
  }
}

type Asked = {
  folder: string
  url: string
  method: string | undefined
  headers: [string, string][]
  cookies: string[]
  /** In base64. */
  bytes: string | undefined
  inChunks: boolean
}

/** Runs in the page. */
async function ask({ folder, url, method, headers, cookies, bytes, inChunks }: Asked) {
  const keep = (cookie: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the mock reads it there
    document.cookie = cookie
  }
  const nameOf = (pair: string) => pair.split('=', 1)[0]
  for (const pair of document.cookie.split('; ')) {
    for (const path of ['/', folder]) keep(`${nameOf(pair)}=; Path=${path}; Max-Age=0`)
  }
  for (const [i, pair] of cookies.entries()) {
    const isSecond = cookies.slice(0, i).some((one) => nameOf(one) === nameOf(pair))
    keep(`${pair}; Path=${isSecond ? folder : '/'}`)
  }
  const held = document.cookie.split('; ').filter(Boolean)
  if (held.sort().join() !== cookies.sort().join()) {
    throw new Error(`The page holds the cookies ${held}, and not ${cookies}.`)
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
