import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import { operationNames } from '../../src/contract/operations.js'
import type { Target } from '../../src/verify/runner/target.js'
import { launchBrowser } from '../browser/launch.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('the documentation of %s', (_, start) => {
  let target: Target
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())

  test('is served as OpenAPI', async () => {
    const response = await fetch(`${target.baseUrl}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  test('answers HEAD without a body, and no other method', async () => {
    for (const path of ['/docs', '/openapi.json']) {
      const head = await fetch(`${target.baseUrl}${path}`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect((await fetch(`${target.baseUrl}${path}`, { method: 'POST' })).status).toBe(404)
    }
  })

  test('is a page without scripts, without requests to other sites, and without broken links', async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      const messages: string[] = []
      page.on('console', (message) => messages.push(message.text()))
      await page.goto(`${target.baseUrl}/docs`)
      expect(requests).toEqual([`${target.baseUrl}/docs`])
      expect(messages).toEqual([])
      expect(await page.locator('script').count()).toBe(0)

      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      const schemas = Object.keys(openApiDocument().components.schemas)
      expect(ids).toEqual(expect.arrayContaining([...operationNames, ...schemas]))
      const links = await page.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
      for (const link of links.filter((link) => link.startsWith('#'))) expect(ids).toContain(link.slice(1))
      const pages = [...new Set(links.filter((link) => link.startsWith('/')))]
      expect(pages).toHaveLength(1 + Object.keys(errors).length)
      for (const path of pages) expect((await fetch(target.baseUrl + path)).status, path).toBe(200)

      // On a phone the page does not scroll sideways.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    } finally {
      await browser.close()
    }
  })
})
