import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import { operationNames, operations } from '../../src/contract/operations.js'
import { faintTexts, isTooWide } from '../browser/contrast.js'
import { browserOfFile } from '../browser/visit.js'
import { type StartedTarget, startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'

const browser = browserOfFile()
const run = promisify(execFile)
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decode = (html: string) => html.replace(/&(\S+?);/g, (_, name) => characters[name] ?? '')

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('the documentation of %s', (_, start) => {
  let target: StartedTarget
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())

  test('is served as OpenAPI', async () => {
    const response = await fetch(`${target.baseUrl}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  /** Opens the page in a new context. */
  async function open() {
    const context = await browser().newContext({ viewport: { width: 390, height: 800 } })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url().replace(target.baseUrl, '')))
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(`${target.baseUrl}/docs`)
    return { page, requests, messages, close: () => context.close() }
  }

  test('is a page without broken links that loads nothing, and copies each block of code', async () => {
    const { page, requests, messages, close } = await open()
    try {
      expect(requests).toEqual(['/docs'])
      expect(messages).toEqual([])
      const { headers } = await fetch(`${target.baseUrl}/docs`)
      // Only the script of the buttons, by its hash.
      const script = (await page.locator('script').textContent()) ?? ''
      const hash = createHash('sha256').update(script).digest('base64')
      expect(headers.get('content-security-policy')).toMatch(
        new RegExp(
          `^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash.replaceAll('+', '\\+')}'; form-action`,
        ),
      )
      const blocks = await page.locator('pre').count()
      expect(blocks).toBeGreaterThan(10)
      expect(
        await page
          .locator('pre')
          .evaluateAll(
            (all) => all.filter((block) => block.previousElementSibling?.textContent === 'Copy').length,
          ),
      ).toBe(blocks)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const first = await page.locator('pre').first().textContent()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)

      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      const schemas = Object.keys(openApiDocument().components.schemas)
      expect(ids).toEqual(expect.arrayContaining([...operationNames, ...schemas]))
      const links = await page.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
      for (const link of links.filter((link) => link.startsWith('#'))) expect(ids).toContain(link.slice(1))
      const pages = [...new Set(links.filter((link) => link.startsWith('/')))]
      expect(pages.filter((path) => path.startsWith('/docs/'))).toHaveLength(Object.keys(errors).length)
      expect(pages).toContain('/openapi.json')
      expect(pages.includes('/')).toBe(target.mode === 'mock')
      for (const path of pages) expect((await fetch(target.baseUrl + path)).status, path).toBe(200)

      // On a phone the page does not scroll sideways.
      expect(await isTooWide(page)).toBe(false)
    } finally {
      await close()
    }
  })

  test('shows for each operation a command that the mock answers with a success', async () => {
    await target.reset()
    const html = await (await fetch(`${target.baseUrl}/docs`)).text()
    const lines = [...html.matchAll(/curl -i [^<]*/g)].map(([line]) => decode(line))
    expect(lines).toHaveLength(operationNames.length)
    if (target.mode !== 'mock') return
    for (const [i, name] of operationNames.entries()) {
      // The address of the page, whatever its port is.
      const line = lines[i] ?? ''
      expect(line).toContain(target.baseUrl)
      const { stdout } = await run('sh', ['-c', line.replace(/^curl /, 'curl -sS ')])
      expect(stdout, name).toContain(`HTTP/1.1 ${operations[name].success.status} `)
    }
  })

  test('can be read on every screen, in light and dark colours', async () => {
    const { page, close } = await open()
    try {
      for (const width of [390, 1280, 2000]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await isTooWide(page), String(width)).toBe(false)
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await faintTexts(page)).toEqual([])
      }
    } finally {
      await close()
    }
  })
})
