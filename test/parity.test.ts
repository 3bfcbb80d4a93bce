import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import fixture from '../fixtures/demo.json' with { type: 'json' }
import type { Answer } from '../src/verify/case.js'
import { join } from '../src/verify/requests.js'
import { send, type Target } from '../src/verify/target.js'
import { type Call, call } from './http-suite/sequences.js'
import { type Stored, startDevServer } from './http-suite/start-dev-server.js'
import { startInterceptor } from './http-suite/start-interceptor.js'
import { startProduction } from './http-suite/start-production.js'
import { startWorker } from './http-suite/start-worker.js'

// The mock, wherever it runs, and production are given the same calls, and have to answer alike at each of them.

type Side = Target & Stored

/** PARITY_RUNS asks for more sequences, PARITY_SEED for those that a failure has printed the seed of. */
const { PARITY_RUNS, PARITY_SEED } = process.env

describe.each([
  { name: 'the dev server', start: startDevServer, usual: 60 },
  { name: 'MSW in Node', start: startInterceptor, usual: 30 },
  { name: 'the worker in a page', start: startWorker, usual: 20 },
])('$name and production', ({ start, usual }) => {
  const numRuns = Number(PARITY_RUNS ?? usual)
  let mock: Side
  let production: Side
  beforeAll(async () => {
    production = await startProduction()
    mock = await start()
  })
  beforeEach(() => Promise.all([mock.reset(), production.reset()]))
  afterAll(() => Promise.all([mock?.close(), production?.close()]))

  test('answer any sequence of calls alike', { timeout: 30_000 + numRuns * 1000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
        await Promise.all([mock.reset(), production.reset()])
        const [ofMock, ofProduction] = await Promise.all([
          transcript(mock, calls),
          transcript(production, calls),
        ])
        for (const [i, { what }] of calls.entries())
          expect(ofProduction.answers[i], what).toEqual(ofMock.answers[i])
        expect(ofProduction.stored).toEqual(ofMock.stored)
      }),
      { numRuns, ...(PARITY_SEED !== undefined && { seed: Number(PARITY_SEED) }) },
    )
  })

  test('store a sign-up once, trimmed and in lower case (section 4.5)', async () => {
    for (const side of [mock, production]) {
      for (const email of [' Ada@Example.COM\n', 'ada@example.com', 'ADA@example.com'])
        await send(side, join({ email }))
      const added = (await side.stored()).waitlist
        .map(({ email }) => email)
        .filter((email) => /ada/i.test(email))
      expect(added).toEqual(['ada@example.com'])
    }
  })
})

/** Makes the calls one after the other. Gives what was answered and what is stored, alike where they should be. */
async function transcript(side: Side, calls: readonly Call[]) {
  const made: string[] = []
  const answers: unknown[] = []
  for (const { request } of calls) {
    const answer = await send(side, request(made))
    const { project } = Object(answer.json) as { project?: { id: string } }
    if (answer.status === 201 && project) made.push(project.id)
    answers.push(alike(side, answer, made))
  }
  const { projects, waitlist } = await side.stored()
  const emails = waitlist.map(({ email }) => email)
  return { answers, stored: { projects: unnamed(side, JSON.stringify(projects), made), emails } }
}

const compared = ['content-type', 'cache-control', 'allow', 'retry-after']

function alike(side: Side, { status, headers, text, json }: Answer, made: readonly string[]) {
  const body = json === undefined ? text : unnamed(side, text, made)
  const isBundle = status === 200 && typeof body === 'object' && body !== null && 'organization' in body
  return {
    status,
    headers: Object.fromEntries(compared.map((name) => [name, headers[name]])),
    body: isBundle ? withoutMark(side, body) : body,
  }
}

/** The bundle without what marks the mock's (section 2.2), which has to be there in the mock and nowhere else. */
function withoutMark(side: Side, body: object) {
  const { devMode, role, ...bundle } = body as { devMode?: unknown; role?: unknown }
  expect([devMode, typeof role]).toEqual(side.mode === 'mock' ? [true, 'string'] : [undefined, 'undefined'])
  return bundle
}

const known = new Set(fixture.projects.map(({ createdAt }) => createdAt))

/** Parses JSON in which ids are replaced by the order in which they were made, and new times by a word. */
function unnamed(side: Side, text: string, made: readonly string[]): unknown {
  return JSON.parse(text, (key, value) => {
    if (typeof value !== 'string') return value
    if (key === 'createdAt') return known.has(value) ? value : 'new'
    if (key === 'docsUrl') return value.replace(side.baseUrl, '')
    return key === 'id' && made.includes(value) ? `made ${made.indexOf(value)}` : value
  })
}
