import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../browser/launch.js'
import { type MockSite, serveMockSite } from '../browser/mock-site.js'
import { openShadowRoots } from './open-shadow-roots.js'

// Pages as they are: at a name of the LAN over http, with policies, below a base, in a frame of another site.

let browser: Browser
let site: MockSite

beforeAll(async () => {
  browser = await launchBrowser(['mock.lan'])
  site = await serveMockSite()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function open(
  host: string,
  path: string,
): Promise<{ page: Page; violations: string[]; start: string }> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await openShadowRoots(page)
  const violations: string[] = []
  await page.exposeFunction('violated', (text: string) => violations.push(text))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(globalThis, 'violated')(`${violatedDirective} ${blockedURI}`),
    )
  })
  site.options = { session: 'acme-owner' }
  await page.goto(`${site.url.replace('127.0.0.1', host)}${path}`)
  const start = await page.evaluate(() =>
    globalThis.starting.then(
      () => '',
      ({ message }) => message,
    ),
  )
  if (start === '') await page.evaluate(() => globalThis.app.mockPanel(globalThis.mock))
  return { page, violations, start }
}

async function openWorkbench(page: Page): Promise<string> {
  const panel = page.getByRole('complementary', { name: 'Mock' })
  await expect.poll(() => panel.getByLabel('Persona').inputValue()).toBe('acme-owner')
  await panel.getByRole('button', { name: /^Mock/ }).click()
  const opened = page.frameLocator('iframe').getByRole('button', { name: 'You are acme-owner' })
  const told = page.getByRole('region', { name: 'Workbench of the mock' }).getByRole('alert')
  let result = ''
  const settled = async () => {
    result = (await opened.isVisible()) ? 'opened' : (await told.allTextContents()).join()
    return result
  }
  await expect.poll(settled).not.toBe('')
  return result
}

describe.each(['localhost', 'mock.lan'])('a page at %s', (host) => {
  it.each([
    ['no policy', '/', undefined, 'opened'],
    ['a folder', '/app/', undefined, 'opened'],
    ["script-src 'self'", '/', "script-src 'self'", /^The workbench has not started in this frame/],
    ['no frames', '/', "frame-src 'none'", 'opened'],
    ['no styles', '/', "style-src 'none'", 'opened'],
  ])(
    'has the launcher and the workbench with %s, or says that it has none',
    async (_, path, policy, result) => {
      site.reset()
      if (policy) site.headers = { 'content-security-policy': policy }
      const { page, violations, start } = await open(host, path)
      expect(start).toBe('')
      expect(violations).toEqual([])
      expect(await openWorkbench(page)).toEqual(
        typeof result === 'string' ? result : expect.stringMatching(result),
      )
    },
  )
})

it('the start names what it has seen: a policy of trusted types is no missing script', async () => {
  site.reset()
  site.headers = { 'content-security-policy': "require-trusted-types-for 'script'" }
  const { start } = await open('localhost', '/')
  expect(start).toMatch(/could not start its service worker\. \(.*TrustedScriptURL/s)
  expect(start).not.toContain('init')
})

it('a tab of a page with a Cross-Origin-Opener-Policy finds its mock', async () => {
  site.reset()
  site.headers = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  }
  const { page } = await open('localhost', '/')
  expect(await openWorkbench(page)).toBe('opened')
  const tab = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'In a tab' }).click()
  await (await tab).getByRole('button', { name: 'You are acme-owner' }).waitFor()
})
