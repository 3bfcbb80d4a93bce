import { readFileSync, writeFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ErrorBody, ShortErrorBody, ValidationErrorBody } from '../../src/contract/schemas.js'
import { allowedDifferences, defaultDifferences } from './allowed-differences.js'
import { compareModes } from './compare-modes.js'
import { compareCases, compareSequences, findingsOf } from './compare-requests.js'
import { bytesOf } from './generated-requests.js'
import { parityPage } from './page.js'
import { type Modes, startModes } from './start-modes.js'
import { writtenRequests } from './written-requests.js'

// The dev server and production receive the same bytes, and must answer with the same status, headers and body.

describe('the dev server and production', () => {
  let modes: Modes
  let comparison: ReturnType<typeof compareModes>
  let compared = 0
  beforeAll(async () => {
    modes = await startModes()
    comparison = compareModes(modes)
  })
  beforeEach(() => comparison.reset())
  afterAll(() => modes?.close())

  test('answer the cases of the conformance suite identically', async () => {
    expect((await compareCases(comparison)).join('\n\n')).toBe('')
    compared += 1
  })

  test('answer generated sequences identically, and store the same records', async () => {
    await compareSequences(modes, comparison, 40)
    compared += 1
  })

  test('answer bytes that no client sends identically, with the expected status', async () => {
    for (const [title, bytes, ...statuses] of writtenRequests) {
      await comparison.reset()
      const answers = await comparison.send(Buffer.from(bytes, 'latin1'))
      const found = answers.map(({ status }) => status)
      expect(found, title).toEqual(statuses)
      for (const { status, body } of answers.filter(({ status }) => status >= 400)) {
        const form = status === 422 && body.includes('"code"') ? ValidationErrorBody : ErrorBody
        expect(form.or(ShortErrorBody).safeParse(JSON.parse(body)).error, title).toBeUndefined()
      }
    }
    for (const differing of [
      ...['GET /', 'GET /healthz', 'HEAD /docs', 'GET /docs/errors/auth-required', 'GET /auth/sign-in'],
      ...['POST /auth/sign-in', 'POST /auth/sign-out', 'GET /v1/auth/me'],
    ]) {
      const [method = '', path = ''] = differing.split(' ')
      await comparison.send(bytesOf({ method, path, as: 'owner' }))
    }
    await comparison.send(bytesOf({ method: 'GET', path: '/v1/projects', cookies: ['session=active'] }))
    await comparison.begin(bytesOf({ method: 'POST', path: '/v1/projects', json: {} }).subarray(0, -1))
    compared += 1
  })

  test('show every allowed difference', ({ skip }) => {
    skip(compared < 3, 'not everything was compared')
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
  ])('$difference', async ({ change, at, message }) => {
    const modes = await startModes({ change })
    onTestFinished(modes.close)
    const comparison = compareModes(modes)
    const findings = await findingsOf(requests.map((bytes) => () => comparison.send(bytes)))
    expect(findings).not.toEqual([])
    for (const finding of findings) {
      expect(finding).toContain(message)
      expect(finding).toContain(`Request: "${at}`)
      expect(finding).toMatch(/^Mock: \[.*^Production: \[/ms)
    }
  })
})

test('with the default origins the modes differ only for pages of this machine, and in Vary', async () => {
  const modes = await startModes({ allowedOrigins: 'default' })
  onTestFinished(modes.close)
  const comparison = compareModes(modes, [...allowedDifferences, ...defaultDifferences])
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
  expect(await findingsOf(requests.map((bytes) => () => comparison.send(bytes)))).toEqual([])
  const unneeded = comparison.unneeded()
  expect(defaultDifferences.filter((entry) => unneeded.includes(entry))).toEqual([])
})

test('docs/parity.md is up to date', () => {
  const file = new URL('../../docs/parity.md', import.meta.url)
  if (process.env.UPDATE) writeFileSync(file, parityPage())
  const how = 'UPDATE=1 npx vitest run test/parity/parity.test.ts writes it'
  expect(readFileSync(file, 'utf8'), how).toBe(parityPage())
})
