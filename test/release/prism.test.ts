import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import { type SentRequest, type Target, Unsendable } from '../../src/conformance/target.js'
import { decodableUrl, route } from '../../src/contract/route.js'
import { sendWithFetch } from '../conformance/send-with-fetch.js'
import { type StartedTarget, startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'

// Prism is a proxy between the suite and a server, and validates each response against openapi.json.

type Violation = { location: string[]; message: string; severity: string }

/** The violations that Prism found in a response. */
type Found = { request: string; status: number; violations: Violation[] }

describe.each([
  ['the dev server', startDevServer, []],
  // Prism replaces an invalid response with its own error.
  ['production, with --errors', startProduction, ['--errors', '--validate-request=false']],
] as const)('between the suite and %s', (_, start, options) => {
  let target: StartedTarget
  let prism: ChildProcess
  let url: string

  beforeAll(async () => {
    target = await start()
    // Prism does not accept port 0.
    const port = await freePort()
    const args = ['node_modules/@stoplight/prism-cli/dist/index.js', 'proxy', 'openapi.json', target.baseUrl]
    const common = ['--port', String(port), '--verboseLevel', 'info']
    prism = spawn(process.execPath, [...args, ...common, ...options])
    for await (const line of createInterface({ input: prism.stdout as NodeJS.ReadableStream })) {
      if (line.includes('is listening')) break
    }
    prism.stdout?.resume()
    url = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    prism?.kill('SIGKILL')
    await target?.close()
  })

  test('Prism finds no violation', async () => {
    const found: Found[] = []
    let responses = 0
    const sendByFetch = sendWithFetch(async (input, init) => {
      let response = await fetch(input, init)
      // The last reset may have ended a kept-alive connection of Prism: retry once.
      if (/hang up|ECONNRESET/.test(await prismError(response))) response = await fetch(input, init)
      const { pathname } = new URL(String(input))
      if (!pathname.startsWith('/v1/')) return response
      responses++
      const list = response.headers.get('sl-violations') ?? '[]'
      const { status } = response
      // Prism cuts a list that does not fit into a header, as of a request with thousands of unknown properties.
      const isCut = list.startsWith('Too many violations!') && status >= 300
      const violations: Violation[] = isCut ? [] : JSON.parse(list)
      // Many cases send invalid requests on purpose. These must not succeed.
      const relevant = violations.filter(({ location }) => location[0] === 'response' || status < 300)
      const error = await prismError(response)
      if (relevant.length > 0 || error) {
        found.push({ request: `${init?.method} ${pathname} ${error}`, status, violations: relevant })
      }
      return response
    })
    const proxied: Target = {
      ...target,
      baseUrl: url,
      isServer: false,
      // Prism adds its own headers.
      interfaceOnly: true,
      // All requests use fetch, which reads the findings of Prism for each response.
      async send(request) {
        if (!canForward(request)) throw new Unsendable('Prism cannot forward this request')
        return sendByFetch(request)
      },
    }
    for (const testCase of cases.filter(({ mode = target.mode }) => mode === target.mode)) {
      // A case may fail here: Prism answers some invalid requests itself.
      await play(proxied, testCase)
      if (testCase.write) await target.reset()
    }
    expect(found).toEqual([])
    expect(responses).toBeGreaterThan(500)
  })
})

/** Whether a request is for an operation, and Prism can forward it. */
function canForward({ method, path, raw, chunked, body }: SentRequest): boolean {
  // Prism 5.14 exits at an undecodable path, forwards chunked bodies with a Content-Length, which servers refuse, and never answers `null`.
  if (decodableUrl(path) !== path) return false
  if (raw || chunked || (body && Buffer.from(body).toString() === 'null')) return false
  // Prism closes the connection of a request with an undecodable path.
  if (!isDecodable(path)) return false
  return method !== 'HEAD' && route(method, path.split('?', 1)[0] ?? '').operation !== undefined
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * The error of Prism itself, without a response of the server. With --errors, Prism itself refuses requests without a session
 * cookie.
 */
async function prismError(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'application/problem+json') return ''
  const text = await response.clone().text()
  return text.includes('prism/errors#UNAUTHORIZED') ? '' : text
}
