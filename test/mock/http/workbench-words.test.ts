import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { choice, details, setUpWorkbench, showsMessage } from '../../browser/workbench-visit.js'

const { visit, send, server } = setUpWorkbench()

/** Opens a menu at a request and copies it. */
async function copy(page: Page) {
  await send('/v1/auth/me', 'acme-owner')
  await details(page).getByRole('button', { name: 'More', exact: true }).click()
  await choice(page, /^Copy as curl/).click()
}
/** The text of the message, without its buttons. */
const message = async (page: Page) => (await page.locator('.toast').innerText()).split('\n')[0]

describe('the page names no cause that it has not seen:', () => {
  it('a copy that fails has the reason of the browser', () =>
    visit(async (page) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('Document is not focused.'))
      })
      await copy(page)
      await showsMessage(page, 'Not copied')
      expect(await message(page)).toBe('Not copied: the request as curl. Document is not focused.')
    }))

  it('a copy by selection that fails has no reason', () =>
    visit(async (page) => {
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
        document.execCommand = () => false
      })
      await copy(page)
      await showsMessage(page, 'Not copied')
      expect(await message(page)).toBe('Not copied: the request as curl.')
    }))

  it('a persona that the browser does not become is not said to have an ended session', () =>
    visit(async (page) => {
      // As if another tab chose a persona at the same moment.
      await page.route('**/__dev/sessions', async (route) => {
        if (route.request().method() !== 'GET') return route.continue()
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), you: 'acme-member' } })
      })
      await page.keyboard.press('p')
      await choice(page, /^acme-viewer/).click()
      await showsMessage(page, 'not acme-viewer')
      expect(await message(page)).toBe('This browser is acme-member, not acme-viewer.')
      await page.unrouteAll({ behavior: 'wait' })
    }))

  it.each([
    [
      '/',
      () => `If it has ended, start it again: npx dashboard-api dev --port ${new URL(server().url).port}`,
    ],
    ['/__dev/', () => 'Look at the server of this page.'],
  ])('a lost connection is not called the end of the mock, at %s', (path, advice) =>
    visit(
      async (page) => {
        await page.route('**/log/follow*', (route) => route.abort())
        await page.reload()
        const banner = page.getByRole('alert').filter({ hasText: 'The mock does not answer.' })
        await banner.waitFor()
        expect((await banner.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
          `The mock does not answer. ${advice()}`,
        )
        expect((await fetch(server().url)).status).toBe(200)
      },
      { path },
    ),
  )
})
