import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { createJar } from '../../../src/mock/engine/session-jar.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { parseState } from '../../../src/store/state-file.js'

const baseUrl = 'https://api.example/dashboard'
const createHandlers = (jar = createJar('acme-owner')) =>
  createMockApi({ fixtures: parseState(fixture), baseUrl, jar }).handlers

describe('the MSW handlers', () => {
  it('handle only requests below the base URL', async () => {
    const handlers = createHandlers()
    for (const url of ['https://api.example/v1/projects', 'https://other.example/dashboard/v1/projects']) {
      expect(await getResponse(handlers, new Request(url)), url).toBeUndefined()
      for (const handler of handlers) expect(await handler.test({ request: new Request(url) })).toBe(false)
    }
    const request = new Request(`${baseUrl}/v1/projects?page=1#top`)
    expect((await getResponse(handlers, request))?.status).toBe(200)
    expect(await Promise.all(handlers.map((handler) => handler.test({ request })))).toContain(true)
  })

  it('read the body in a browser whose requests have no `body`, such as Firefox', async () => {
    const request = new Request(`${baseUrl}/v1/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Roadmap"}',
    })
    Object.defineProperty(request, 'body', { value: undefined })
    expect((await getResponse(createHandlers(), request))?.status).toBe(201)
  })
})
