import { describe, expect, it } from 'vitest'
import { setUpMockSite } from './browser-harness.js'

const browser = setUpMockSite()

describe('the worker', () => {
  it('passes other requests to the site without a warning', async () => {
    await browser.open()
    expect(await browser.send('/nothing')).toMatchObject({ status: 404, text: 'The site has no such file.' })
    expect((await browser.send('/v1/nothing')).body).toMatchObject({ code: 'NOT_FOUND' })
    expect(browser.site.reached).toEqual([])
    expect(browser.warnings).toEqual([])
  })

  it('stops and starts again', async () => {
    await browser.open()
    await browser.page.evaluate(() => globalThis.mock.stop())
    expect((await browser.send('/v1/projects')).text).toBe('The site has no such file.')
    expect(browser.site.reached).toEqual(['GET /v1/projects'])
    await browser.page.evaluate(async () => {
      await globalThis.app.startMockApi({ session: 'acme-owner', quiet: true })
    })
    expect(await browser.me()).toBe('ada@acme.example')
    expect(browser.warnings).toEqual([])
  })

  it('continues if an earlier start is stopped, as by effects that React runs twice', async () => {
    await browser.open()
    await browser.page.evaluate(async () => {
      globalThis.mock.stop()
      const { startMockApi } = globalThis.app
      const first = startMockApi({ session: 'acme-owner', quiet: true })
      const second = startMockApi({ session: 'acme-owner', quiet: true })
      globalThis.mock = await second
      ;(await first).stop()
    })
    expect(await browser.me()).toBe('ada@acme.example')
    await browser.page.evaluate(() => globalThis.mock.stop())
    expect((await browser.send('/v1/projects')).text).toBe('The site has no such file.')
  })

  it.each(['/api', '/api/', './api'])(
    'serves the paths below the URL %s, which is relative',
    async (baseUrl) => {
      browser.site.options = { baseUrl, session: 'acme-owner' }
      expect(await browser.open()).toBe('')
      expect(await browser.me('/api')).toBe('ada@acme.example')
      expect((await browser.send('/v1/projects')).text).toBe('The site has no such file.')
    },
  )

  it('answers with custom handlers first, and logs and controls them and unhandled requests', async () => {
    await browser.open()
    await browser.page.evaluate(async () => {
      const { http, HttpResponse, startMockApi } = globalThis.app
      globalThis.mock.stop()
      const handlers = [
        http.get('/api/invoices/:id', ({ params }) => HttpResponse.json({ id: params.id })),
        http.get('/api/stream', () => new HttpResponse(new Blob(['streamed']).stream())),
        http.get('/v1/projects', () => HttpResponse.text('own')),
      ]
      globalThis.mock = await startMockApi({ session: 'acme-owner', quiet: true, handlers })
    })
    expect((await browser.send('/v1/projects')).text).toBe('own')
    expect((await browser.send('/api/invoices/7')).body).toEqual({ id: '7' })
    expect((await browser.send('/api/stream')).text).toBe('streamed')
    expect((await browser.send('/api/orders/7')).status).toBe(404)
    await browser.page.evaluate(async () => {
      const { scenarios } = globalThis.mock
      await scenarios.set({ target: 'GET /api/invoices/:id', outcome: 503, times: null })
      await scenarios.set({ target: 'GET /api/orders/:id', response: { body: { order: 1 } }, times: null })
    })
    expect((await browser.send('/api/invoices/8')).status).toBe(503)
    expect((await browser.send('/api/orders/8')).body).toEqual({ order: 1 })
    const logged = await browser.page.evaluate(async () => {
      const { log } = globalThis.mock
      const entries = await log.read()
      const texts = await Promise.all(
        entries.map(async ({ id }) => (await log.entry(id)).response?.body?.text),
      )
      return entries.map(({ target, status, session }, i) => [target, status, session, texts[i]])
    })
    expect(logged).toEqual([
      ['GET /v1/projects', 200, 'acme-owner', 'own'],
      ['GET /api/invoices/:id', 200, 'acme-owner', '{"id":"7"}'],
      ['GET /api/stream', 200, 'acme-owner', 'streamed'],
      ['GET /api/orders/:id', 0, 'acme-owner', undefined],
      ['GET /api/invoices/:id', 503, 'acme-owner', expect.stringContaining('503')],
      ['GET /api/orders/:id', 200, 'acme-owner', '{"order":1}'],
    ])
  })

  it("passes paths below /v1/ that the interface lacks, if `unknown` is 'pass'", async () => {
    browser.site.options = { unknown: 'pass' }
    await browser.open()
    expect((await browser.send('/v1/nothing')).text).toBe('The site has no such file.')
    expect(browser.site.reached).toEqual(['GET /v1/nothing'])
    expect((await browser.send('/v1/projects', { method: 'DELETE' })).status).toBe(405)
  })

  it('warns that another worker, which was started later, answers in its place', async () => {
    await browser.open()
    await browser.page.evaluate(() => globalThis.app.setupWorker().start({ quiet: true }))
    expect(await browser.send('/v1/projects')).toMatchObject({ text: 'The site has no such file.' })
    await expect
      .poll(() => browser.warnings)
      .toContainEqual(
        expect.stringContaining(
          'Another worker of MSW was started after this mock, and answers in its place.',
        ),
      )
  })

  it('warns that it answers in place of another worker, which was started earlier', async () => {
    await browser.open()
    await browser.page.evaluate(async () => {
      const { http, HttpResponse, setupWorker, startMockApi } = globalThis.app
      globalThis.mock.stop()
      await setupWorker(http.get('/own', () => HttpResponse.text('own'))).start({ quiet: true })
      await startMockApi({ session: 'acme-owner', quiet: true })
    })
    expect(await browser.me()).toBe('ada@acme.example')
    expect((await browser.send('/own')).text).toBe('The site has no such file.')
    expect(browser.warnings).toContainEqual(
      expect.stringContaining('This mock answers in place of another worker of MSW.'),
    )
  })

  it.each([
    ['tells', '<meta name="dashboard-api" content="mock">', 1],
    ['does not tell', '', 0],
  ])('%s the mock that answers if the page has %j', async (_, head, times) => {
    const infos: string[] = []
    browser.page.on('console', (message) => message.type() === 'info' && infos.push(message.text()))
    browser.site.head = head
    await browser.open()
    expect(infos.filter((text) => text.startsWith('This page has a mock of its own'))).toHaveLength(times)
  })

  it('runs the handlers of dashboard-api/msw, with the same session', async () => {
    await browser.open()
    await browser.page.evaluate(async () => {
      globalThis.mock.stop()
      const { createHandlers, setupWorker } = globalThis.app
      await setupWorker(...createHandlers()).start({ quiet: true })
    })
    await browser.signInByForm('acme-viewer')
    expect([await browser.me(), await browser.cookie()]).toEqual(['vera@acme.example', 'session=acme-viewer'])
    expect(await browser.me('', { credentials: 'omit' })).toBe(401)
    await browser.send('/auth/sign-out', { method: 'POST' })
    expect(await browser.me()).toBe(401)
  })

  it.each([
    ['does not serve it', false],
    ['serves the application for every path', true],
  ])('explains how to serve its script if the site %s', async (_, fallsBack) => {
    browser.site.workerScript = undefined
    browser.site.fallsBack = fallsBack
    const refusal = await browser.open()
    expect(refusal).toContain('Error: The mock could not start its service worker.')
    expect(refusal).toContain('dashboard-api/vite')
    expect(refusal).toContain('npx dashboard-api init')
  })

  it('warns that its script is outdated', async () => {
    browser.site.workerScript = browser.site.workerScript
      ?.replace(/(PACKAGE_VERSION = ')[^']+/, '$12.0.1')
      .replace(/(INTEGRITY_CHECKSUM = ')[^']+/, '$1another')
    expect(await browser.open()).toBe('')
    expect(browser.warnings).toEqual([
      expect.stringContaining('generated by a different version of MSW (2.0.1)'),
    ])
    expect(await browser.me()).toBe(401)
  })
})
