import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import fixture from '../../fixtures/demo.json' with { type: 'json' }
import { type ErrorCode, errorDocsPath, errors } from '../../src/contract/errors.js'
import { type Operation, operationNames, operations } from '../../src/contract/operations.js'
import { registerPages } from '../../src/http/page-routes.js'
import { outcomesOf } from '../../src/mock/engine/outcomes.js'
import type { ScenarioSetting } from '../../src/mock/engine/scenarios.js'
import { type DevServer, startDevServer } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'
import { undescribed } from '../contract/described-response.js'

const run = promisify(execFile)

let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
})
afterEach(() => server.mock.controls.reset())
afterAll(() => server.close())

const codesOf = (name: (typeof operationNames)[number]) =>
  outcomesOf(name).filter((outcome): outcome is ErrorCode => outcome in errors)

describe('a forced error', () => {
  const all = operationNames.flatMap((name) => codesOf(name).map((code) => [name, code] as const))

  it.each(all)('of %s with %s is as openapi.json describes it, and its page opens', async (name, code) => {
    const { method, path, body, errorForm }: Operation = operations[name]
    const target = path.replace('{projectId}', 'any')
    await server.mock.controls.scenarios.set({ target: name, outcome: code, times: 1 } as ScenarioSetting)
    // Without a session and a body, only the forced outcome can cause this response.
    const response = await fetch(server.url + target, { method })
    const { status } = response
    expect(status).toBe(code === 'VALIDATION_FAILED' ? body?.faults.invalid : errors[code].status)
    const text = await response.text()
    const headers = Object.fromEntries(response.headers)
    expect(undescribed({ method, path: target }, { status, headers, text })).toEqual([])
    if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/)

    const isShort = errorForm === 'short'
    const page = await fetch(isShort ? server.url + errorDocsPath(code) : JSON.parse(text).docsUrl)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`<h1><code>${code}</code></h1>`)
  })
})

describe('the page of an unknown code', () => {
  it.each(['/docs/errors/nonsense', '/docs/errors/a/b'])('leads to the known ones: %s', async (path) => {
    const page = await fetch(server.url + path, { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<a href="/docs#errors">')
    const error = await fetch(server.url + path, { headers: { accept: 'application/json' } })
    expect([error.status, await error.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
  })

  it('is a page of the service, too', async () => {
    const app = Fastify()
    registerPages(app)
    const get = (accept: string) => app.inject({ url: '/docs/errors/nonsense', headers: { accept } })
    expect(await get('text/html')).toMatchObject({
      statusCode: 404,
      body: expect.stringContaining('<a href="/docs#errors">'),
    })
    expect((await get('application/json')).headers['content-type']).toContain('application/json')
    await app.close()
  })
})

// The commands need curl, which may not be installed.
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe.skipIf(!hasCurl)('the page of an error', () => {
  it.each(Object.keys(errors) as ErrorCode[])('shows a command that reproduces %s', async (code) => {
    const html = await (await fetch(server.url + errorDocsPath(code))).text()
    const [example = '', line = '', command] = [...html.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(
      ([, text = '']) =>
        text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characters) => characters[name]),
    )
    const { stdout } = await run('sh', ['-c', line.replace(/^curl /, 'curl -sS ')])
    const [head = '', body = ''] = stdout.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${errors[code].status} `)
    expect(z.looseObject({ code: z.literal(code) }).safeParse(JSON.parse(body)).error).toBeUndefined()
    expect(Object.keys(JSON.parse(example))).toEqual(Object.keys(JSON.parse(body)))
    expect(JSON.parse(example)).toMatchObject({ code, docsUrl: JSON.parse(body).docsUrl })
    const [, target = '', outcome] =
      / set (\w+) (\w+) --times 1 --url http:\/\/[\w.]+:\d+$/.exec(command ?? '') ?? []
    if (command) await server.mock.controls.scenarios.set({ target, outcome, times: null } as ScenarioSetting)
    for (const part of [errors[code].when, errors[code].remedy]) expect(html).toContain(part.slice(0, 20))
  })
})

const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
