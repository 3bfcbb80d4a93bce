import { getResponse, HttpResponse, http, passthrough } from 'msw'
import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { sentBy } from '../../../src/mock/engine/sent-request.js'
import { isFailed } from '../../../src/mock/log/is-failed.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState } from '../../../src/store/state-file.js'

it('a failed request is one with an error or without a response, and none that others answered', async () => {
  const handlers = [
    http.get('*/passed', () => passthrough()),
    http.get('*/broken', () => HttpResponse.error()),
    http.get('*/own', () => new HttpResponse(null, { status: 404 })),
  ]
  const mock = createMockApi({ fixtures: parseState(demo), baseUrl: 'http://mock.test', handlers })
  const request = (path: string) => new Request(`http://mock.test${path}`)
  await mock.logUnanswered(sentBy({ request: request('/elsewhere') }))
  for (const path of ['/passed', '/broken', '/own', '/v1/projects']) {
    await getResponse(mock.handlers, request(path))
  }
  const log = await mock.controls.log.read()
  const failed = log.filter(isFailed).map(({ path }) => path)
  expect(failed).toEqual(['/broken', '/own', '/v1/projects'])
  expect(isFailed({ status: 503, why: 'scenario', aborted: true })).toBe(false)
})
