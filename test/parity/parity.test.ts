import { readFileSync, writeFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ErrorBody, ShortErrorBody, ValidationErrorBody } from '../../src/contract/schemas.js'
import { allowedDifferences, defaultDifferences } from './allowed-differences.js'
import { compareModes } from './compare-modes.js'
import { compareCases, compareSequences, findingsOf, seed } from './compare-requests.js'
import { parityPage } from './page.js'
import { rawRequests } from './raw-requests.js'
import { bytesOf } from './requests.js'
import { type Modes, startModes } from './start-modes.js'
import { writtenRequests } from './written-requests.js'

// The dev server and production get the same bytes, and must answer with the same status, headers and body.

describe('the dev server and production', () => {
  let modes: Modes
  let comparison: ReturnType<typeof compareModes>
  let compared = 0
  beforeAll(async () => {
    modes = await startModes()
    comparison = compareModes(modes)
  })
  beforeEach(() => comparison.reset())
  afterAll(async () => {
    await comparison?.close()
    await modes?.close()
  })

  test('answer the cases of the conformance suite alike', async () => {
    expect((await compareCases(comparison)).join('\n\n')).toBe('')
    compared += 1
  })

  test('answer generated sequences alike, and store the same', async () => {
    await compareSequences(modes, comparison, 40)
    compared += 1
  })

  test('answer raw and hostile requests alike', async () => {
    const works = rawRequests(seed, 500).map((bytes, i) => async () => {
      // So that the requests that lead to a finding are few.
      if (i % 50 === 0) await comparison.reset()
      await comparison.raw(bytes)
    })
    expect((await findingsOf(works)).join('\n\n')).toBe('')
    compared += 1
  })

  test('answer bytes that no client sends alike, with the status that is right for them', async () => {
    for (const { title, bytes, statuses } of writtenRequests) {
      await comparison.reset()
      const answers = await comparison.raw(Buffer.from(bytes, 'latin1'))
      expect(
        answers.map(({ status }) => status),
        title,
      ).toEqual(statuses)
      for (const { status, body } of answers.filter(({ status }) => status >= 400)) {
        const form = status === 422 && body.includes('"code"') ? ValidationErrorBody : ErrorBody
        expect(form.or(ShortErrorBody).safeParse(JSON.parse(body)).error, title).toBeUndefined()
      }
    }
    compared += 1
  })

  test('differ in everything that may differ', ({ skip }) => {
    skip(compared < 4, 'not everything was compared')
    expect(comparison.unneeded()).toEqual([])
    expect(comparison.count()).toBeGreaterThan(2_000)
  })
})

describe('a difference of production that is not allowed is found', () => {
  const asOwner = (method: string, path: string, json?: object) =>
    bytesOf({ method, path, json, as: 'owner' })
  const requests = [
    asOwner('GET', '/v1/projects'),
    asOwner('POST', '/v1/projects', { name: 'Roadmap' }),
    asOwner('POST', '/v1/projects', { name: 'roadmap' }),
    asOwner('GET', '/v1/auth/me'),
  ]
  const onSend =
    (change: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => unknown) =>
    (app: FastifyInstance) =>
      app.addHook('onSend', async (request, reply, payload) => change(request, reply, payload) ?? payload)

  test.each([
    {
      difference: 'a header more',
      change: onSend(({ method }, reply) => void (method === 'POST' && reply.header('x-more', 'yes'))),
      at: 'POST /v1/projects HTTP/1.1',
      message: 'x-more: absent in the mock, "yes" in production',
    },
    {
      difference: 'a header less',
      change: onSend(({ url }, reply) => void (url === '/v1/auth/me' && reply.removeHeader('cache-control'))),
      at: 'GET /v1/auth/me HTTP/1.1',
      message: 'cache-control: "no-store" in the mock, absent in production',
    },
    {
      difference: 'another value of a header',
      change: onSend((_, reply) => void reply.header('content-type', 'application/json')),
      at: '',
      message:
        'content-type: "application/json; charset=utf-8" in the mock, "application/json" in production',
    },
    {
      difference: 'another status',
      change: onSend(
        ({ method }, reply) => void (method === 'POST' && reply.statusCode === 201 && reply.code(200)),
      ),
      at: 'POST /v1/projects HTTP/1.1',
      message: 'status: "201" in the mock, "200" in production',
    },
    {
      difference: 'another order of keys in a body',
      change: onSend(({ method }, reply, payload) => {
        if (method !== 'POST' || reply.statusCode !== 409) return undefined
        const { error, ...others } = JSON.parse(String(payload))
        return JSON.stringify({ ...others, error })
      }),
      at: 'POST /v1/projects HTTP/1.1',
      message: 'body: ',
    },
    {
      difference: 'a field more in the bundle, which may differ in two fields',
      change: onSend(({ url }, _, payload) =>
        url === '/v1/auth/me' ? String(payload).replace('{', '{"more":1,') : undefined,
      ),
      at: 'GET /v1/auth/me HTTP/1.1',
      message: 'body: ',
    },
  ])('$difference', async ({ change, at, message }) => {
    const modes = await startModes({ change })
    const comparison = compareModes(modes)
    onTestFinished(async () => {
      await comparison.close()
      await modes.close()
    })
    const findings = await findingsOf(requests.map((bytes) => () => comparison.request(bytes)))
    expect(findings).not.toEqual([])
    for (const finding of findings) {
      expect(finding).toContain(message)
      expect(finding).toContain(`Request: "${at}`)
      expect(finding).toMatch(/^Mock: \[.*^Production: \[/ms)
    }
  })
})

test('with the default origins the modes differ for pages of this machine only, and in Vary', async () => {
  const modes = await startModes({ allowedOrigins: 'default' })
  const comparison = compareModes(modes, [...allowedDifferences, ...defaultDifferences])
  onTestFinished(async () => {
    await comparison.close()
    await modes.close()
  })
  const from = (headers: Record<string, string>) => [
    bytesOf({ method: 'GET', path: '/v1/projects', as: 'owner', headers }),
    bytesOf({ method: 'POST', path: '/v1/projects', as: 'owner', headers, json: { name: 'Roadmap' } }),
    bytesOf({ method: 'GET', path: '/docs', headers }),
    bytesOf({
      method: 'OPTIONS',
      path: '/v1/projects',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    }),
    bytesOf({ method: 'POST', path: '/v1/waitlist', headers, json: { email: 'ada@example.com' } }),
    bytesOf({ method: 'GET', path: '/v1/nothing', headers }),
  ]
  const requests = [
    ...from({}),
    ...from({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
    ...from({ origin: 'null' }),
    ...from({ origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }),
  ]
  expect(await findingsOf(requests.map((bytes) => () => comparison.request(bytes)))).toEqual([])
  const unneeded = comparison.unneeded()
  expect(defaultDifferences.filter((entry) => unneeded.includes(entry))).toEqual([])
})

test('docs/parity.md is as it is written here', () => {
  const file = new URL('../../docs/parity.md', import.meta.url)
  if (process.env.UPDATE) writeFileSync(file, parityPage())
  const how = 'UPDATE=1 npx vitest run test/parity/parity.test.ts writes it'
  expect(readFileSync(file, 'utf8'), how).toBe(parityPage())
})
