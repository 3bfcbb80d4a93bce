import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { faintTexts, isTooWide } from '../browser/contrast.js'
import { createForm, projectRow } from '../browser/dashboard-page.js'
import { overWorker } from '../browser/example-back-ends.js'
import { browserOfFile, describeExample } from '../browser/visit.js'

const variants = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
)

describeExample('the example, light and dark, wide and narrow', browserOfFile(), overWorker, (visit) => {
  visit('is readable and fits, signed out', ['422 POST /v1/waitlist'], async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Join the waitlist' }).click()
    await page.getByText('Enter an email address').waitFor()
    await isReadable(page)
  })

  visit('is readable and fits, while editing', ['409 POST /v1/projects'], async ({ page, signIn }) => {
    await signIn('acme-owner')
    await createForm(page).getByLabel('Name').fill('Mobile app')
    await createForm(page).getByRole('button', { name: 'Create' }).click()
    await page.getByText('Your team already has a project').waitFor()

    await page.getByRole('button', { name: 'Rename Mobile app' }).click()
    const field = projectRow(page, 'Mobile app').getByLabel('Name', { exact: true })
    await field.fill('Averylongnamewithoutanyplacetobreakit'.repeat(3))
    await field.press('Enter')
    await page.getByRole('heading', { name: /^Averylong/ }).waitFor()
    await page.getByRole('button', { name: 'Edit the description of Website relaunch' }).click()
    await isReadable(page)
  })

  visit('is readable and fits, as a viewer', [], async ({ page, signIn }) => {
    await signIn('acme-viewer')
    await projectRow(page, 'Mobile app').waitFor()
    await isReadable(page)
  })
})

async function isReadable(page: Page): Promise<void> {
  for (const { colorScheme, width } of variants) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    expect({ width, colorScheme, faint: await faintTexts(page), tooWide: await isTooWide(page) }).toEqual({
      width,
      colorScheme,
      faint: [],
      tooWide: false,
    })
  }
}
