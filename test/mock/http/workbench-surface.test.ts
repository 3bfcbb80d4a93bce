import { expect } from 'vitest'
import { browserOfFile } from '../../browser/visit.js'
import { command, suggestion } from '../../browser/workbench-visit.js'
import { testSurface } from '../surfaces/surface-suite.js'

const browser = browserOfFile()

testSurface(
  'the page',
  async ({ url }) => {
    const opened = browser()
      .newContext({ baseURL: url })
      .then(async (context) => {
        const page = await context.newPage()
        await page.goto('/')
        await page.getByText(`Connected to ${new URL(url).host}`).waitFor({ state: 'attached' })
        return page
      })
    return {
      cannot: {
        loadState: 'a file is dropped on the page, or chosen in its menu',
        sendAgain: 'the page shows the new request in place of a message',
      },
      async perform(_control, _input, line) {
        const page = await opened
        // What was prepared from elsewhere has arrived.
        await page.reload()
        await page.getByText(`Connected to ${new URL(url).host}`).waitFor({ state: 'attached' })
        await command(page).fill(line)
        await expect(suggestion(page, /./).first().isVisible()).resolves.toBeDefined()
        await suggestion(page, /./).first().waitFor()
        await page.keyboard.press('Enter')
        const message = page.locator('.toast')
        await message.first().waitFor()
        return message.allInnerTexts().then((all) => all.join('\n'))
      },
    }
  },
  { sequences: 1, length: 12 },
)
