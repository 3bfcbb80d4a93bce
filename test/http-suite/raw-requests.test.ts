import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Target } from '../../src/conformance/runner/target.js'
import { ErrorBody, ShortErrorBody, ValidationErrorBody } from '../../src/contract/schemas.js'
import { exchange } from './raw-exchange.js'
import { rawRequests } from './raw-requests.js'
import { startDevServer } from './start-dev-server.js'
import { startProduction } from './start-production.js'

// The same bytes are sent to both modes, which must answer with the same statuses and the same bytes of body.

describe('bytes that no client sends are answered alike by the dev server and production', () => {
  let mock: Target
  let production: Target
  beforeAll(async () => {
    ;[mock, production] = await Promise.all([startDevServer(), startProduction()])
  })
  afterAll(() => Promise.all([mock?.close(), production?.close()]))

  test.each(rawRequests)('$title', async ({ bytes, statuses }) => {
    const answers = async (target: Target) =>
      (await exchange(target, bytes)).map(({ status, body }) => ({
        status,
        body: body.replaceAll(target.baseUrl, 'http://service'),
      }))
    const [ofMock, ofProduction] = await Promise.all([answers(mock), answers(production)])
    expect(ofMock).toEqual(ofProduction)
    expect(ofMock.map(({ status }) => status)).toEqual(statuses)
    for (const { status, body } of ofMock) {
      if (status < 400) continue
      const form = status === 422 && body.includes('"code"') ? ValidationErrorBody : ErrorBody
      expect(form.or(ShortErrorBody).safeParse(JSON.parse(body)).error).toBeUndefined()
    }
  })
})
