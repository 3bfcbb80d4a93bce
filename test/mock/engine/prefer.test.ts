import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { parseState } from '../../../src/store/state-file.js'

let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0, onError: () => {} })
})
beforeEach(() => server.mock.controls.reset())
afterAll(() => server.close())

const create = async (name: string, headers = {}) => {
  const response = await fetch(`${server.url}/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: { cookie: 'session=acme-owner', 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, body: await response.json() }
}

describe('the Prefer header', () => {
  it.each([
    ['code=PROJECT_NAME_TAKEN', 409, 'PROJECT_NAME_TAKEN'],
    ['code=500', 500, 'INTERNAL_ERROR'],
    ['respond-async, code="403"; x=y', 403, 'TEAM_MEMBERSHIP_REQUIRED'],
    ['Code=500', 500, 'INTERNAL_ERROR'],
    ['respond-async;CODE = 503', 503, 'SERVICE_UNAVAILABLE'],
    ['return=minimal', 201, undefined],
    ['barcode=500, x-code=500', 201, undefined],
  ])('%s forces an outcome of its own request only', async (prefer, status, code) => {
    const response = await create('Preferred', { prefer })
    expect([response.status, response.body.code]).toEqual([status, code])
    expect((await create('Next')).status).toBe(201)
  })

  it('overrides a scenario without using it up', async () => {
    const { call } = createControlClient(server.url)
    await call('setScenario', { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    expect((await create('Preferred', { prefer: 'code=500' })).status).toBe(500)
    expect((await create('Forced')).status).toBe(409)
    expect((await create('Free')).status).toBe(201)
  })

  it('takes nothing away if it is not about an outcome', async () => {
    const { call } = createControlClient(server.url)
    const path = '/v1/projects/0198c0de-0000-7000-8000-000000000002'
    const update = (prefer: string) =>
      fetch(server.url + path, {
        method: 'PATCH',
        body: '{}',
        headers: { cookie: 'session=acme-owner', prefer },
      })
    await call('setScenario', { target: `PATCH ${path}`, response: { status: 418 }, times: null })
    expect((await update('return=minimal')).status).toBe(418)
    expect((await update('code=500')).status).toBe(500)
  })

  it('is refused with the valid codes if the operation cannot return the requested one', async () => {
    const { status, body } = await create('No', { prefer: 'code=PROJECT_NOT_FOUND' })
    expect(status).toBe(400)
    expect(body.error).toMatch(/createProject cannot answer PROJECT_NOT_FOUND.*PROJECT_NAME_TAKEN/)
    expect(body).toMatchObject({
      code: 'VALIDATION_FAILED',
      docsUrl: expect.stringContaining('/docs/errors/'),
    })
  })
})
