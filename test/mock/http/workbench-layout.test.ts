import { describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import {
  cell,
  details,
  now,
  row,
  setUpWorkbench,
  showsMessage,
  tab,
  undoIn,
} from '../../browser/workbench-visit.js'

const { visit, send, controls, projects } = setUpWorkbench()
const mobile = fixture.projects.find(({ name }) => name === 'Mobile app')?.id ?? ''

describe('a selected cell', () => {
  it.each(['Backspace', 'Delete'])('is emptied by %s, and its record stays', (key) =>
    visit(async (page) => {
      await tab(page, 'Data').click()
      await cell(page, 'Mobile app').click()
      await page.keyboard.press(key)
      const editor = page.getByRole('textbox', { name: `name of ${mobile}` })
      await editor.waitFor()
      expect(await editor.inputValue()).toBe('')
      await page.keyboard.press('Escape')
      await cell(page, 'Mobile app').waitFor()
      // The id cannot be edited.
      await page.keyboard.press('End')
      for (let columns = 0; columns < 6; columns++) await page.keyboard.press('ArrowRight')
      await page.keyboard.press(key)
      expect(await page.locator('.cell-input, dialog').count()).toBe(0)
      expect(await projects()).toHaveLength(6)
      await page.getByRole('button', { name: `Remove ${mobile}` }).click()
      await showsMessage(page, 'Removed Mobile app')
      await undoIn(page).click()
      await cell(page, 'Mobile app').waitFor()
    }),
  )
})

describe('the bar Now', () => {
  it('is dragged by any part, and no text is selected', () =>
    visit(async (page) => {
      for (const name of ['One', 'Two', 'Three']) await send('/v1/projects', 'acme-owner', { name })
      await row(page, 'POST').nth(2).waitFor()
      const bar = await page.locator('.now').boundingBox()
      if (!bar) throw new Error('There is no bar.')
      const slider = await now(page).boundingBox()
      expect(slider?.width).toBe(bar.width)
      const words = await page.getByText('drag to go back').boundingBox()
      for (const x of [(words?.x ?? 0) + 10, bar.x + bar.width - 20]) {
        await page.mouse.move(x, bar.y + 14)
        await page.mouse.down()
        await page.mouse.move(x - 30, bar.y + 14 + 2 * 28, { steps: 4 })
        await expect.poll(() => now(page).getAttribute('aria-valuenow')).toBe('1')
        expect(await page.evaluate(() => String(getSelection()))).toBe('')
        await page.keyboard.press('Escape')
        await page.mouse.up()
        await expect.poll(async () => (await page.locator('.now').boundingBox())?.y).toBe(bar.y)
      }
      expect(await projects()).toHaveLength(9)
    }))

  it('says which records that differ are not in its table', () =>
    visit(async (page) => {
      await send('/v1/projects', 'acme-owner', { name: 'Ours' })
      await send('/v1/projects', 'globex-owner', { name: 'Theirs' })
      await row(page, 'globex-owner').waitFor()
      await page.keyboard.press('n')
      await page.keyboard.press('End')
      await details(page).getByText('2 records differ from now, 1 of them in another team.').waitFor()
    }))

  it('has a ring only beside a request that has changed something', () =>
    visit(async (page) => {
      await send(`/v1/projects/${mobile}`, 'acme-owner', { name: 'Mobile app' }, 'PATCH')
      await send(`/v1/projects/${mobile}`, 'acme-owner', {}, 'PATCH')
      await send(`/v1/projects/${mobile}`, 'acme-owner', { name: 'Tablet app' }, 'PATCH')
      await row(page, 'PATCH').nth(2).waitFor()
      const rings = row(page, 'PATCH').filter({ hasText: 'changed data' })
      expect(await rings.count()).toBe(1)
      expect((await controls().log.read()).map(({ changedData }) => changedData)).toEqual([
        undefined,
        undefined,
        true,
      ])
    }))
})
