import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { route } from '../../src/contract/route.js'
import type { Case, CaseRequest } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import { requestsOf } from '../../src/verify/runner/needs.js'
import { runCase } from '../../src/verify/runner/run-case.js'
import type { Target } from '../../src/verify/runner/target.js'
import { startRelay } from '../browser/relay.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'

// Prism stands between the suite and a server, and holds each answer against openapi.json.

type Violation = { location: string[]; message: string; severity: string }

/** What Prism found, and in which answer. */
type Found = { request: string; status: number; violations: Violation[] }

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('between the suite and %s', (_, start) => {
  let target: Target
  let relay: Awaited<ReturnType<typeof startRelay>>
  let prism: ChildProcess
  let url: string

  beforeAll(async () => {
    target = await start()
    relay = await startRelay(() => target.baseUrl)
    const port = await freePort()
    const args = ['node_modules/@stoplight/prism-cli/dist/index.js', 'proxy', 'openapi.json', relay.url]
    prism = spawn(process.execPath, [...args, '--port', String(port), '--verboseLevel', 'info'])
    for await (const line of createInterface({ input: prism.stdout as NodeJS.ReadableStream })) {
      if (line.includes('is listening')) break
    }
    prism.stdout?.resume()
    url = `http://127.0.0.1:${port}`
  })
  afterAll(async () => {
    prism?.kill('SIGKILL')
    await relay?.close()
    await target?.close()
  })

  test('Prism finds no violation', { timeout: 120_000 }, async () => {
    const found: Found[] = []
    let answers = 0
    const through: Target = {
      ...target,
      baseUrl: url,
      get data() {
        return target.data
      },
      async fetch(input, init) {
        let response = await fetch(input, init)
        // A connection that Prism has kept may have ended with the last reset: that is not the server's answer.
        if (/hang up|ECONNRESET/.test(await prismsFault(response))) response = await fetch(input, init)
        const { pathname } = new URL(String(input))
        if (!pathname.startsWith('/v1/')) return response
        answers++
        const violations: Violation[] = JSON.parse(response.headers.get('sl-violations') ?? '[]')
        const { status } = response
        // What is wrong with a request is what many cases are about: but not where it was a success.
        const wrong = violations.filter(({ location }) => location[0] === 'response' || status < 300)
        const fault = await prismsFault(response)
        if (wrong.length > 0 || fault) {
          found.push({ request: `${init?.method} ${pathname} ${fault}`, status, violations: wrong })
        }
        return response
      },
    }
    for (const one of cases.filter(isForPrism(target.mode))) {
      await target.reset()
      await runCase(through, one)
    }
    expect(found).toEqual([])
    expect(answers).toBeGreaterThan(500)
  })
})

/** Whether a case asks operations alone, in ways that get through Prism. */
const isForPrism = (mode: Target['mode']) => (one: Case) =>
  (one.mode ?? mode) === mode && requestsOf(one).every(getsThrough)

function getsThrough({ method, path, raw, chunked, bytes }: CaseRequest): boolean {
  // Prism 5.14 hands chunks on with a length beside them, which no server takes, and never answers to `null`.
  if (raw || chunked || (bytes && new TextDecoder().decode(bytes) === 'null')) return false
  return method !== 'HEAD' && route(method, path.split('?', 1)[0] ?? '').operation !== undefined
}

/** What Prism says where it answers in place of the server. */
const prismsFault = async (response: Response): Promise<string> =>
  response.headers.get('content-type') === 'application/problem+json' ? response.clone().text() : ''

/** A port on which nobody listens: Prism takes no 0 for one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
