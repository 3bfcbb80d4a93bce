import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { projectRow } from '../../test/browser/dashboard-page.js'
import { overWorker } from '../../test/browser/example-back-ends.js'
import { launchBrowser } from '../../test/browser/launch.js'
import { openShadowRoots } from '../../test/mock/open-shadow-roots.js'

const pathOf = (suffix: string) =>
  fileURLToPath(new URL(`../../docs/pictures/panel${suffix}.png`, import.meta.url))

test('the pictures of the page below the example, with a forced 409 in its form', async () => {
  const example = await overWorker()
  const browser = await launchBrowser()
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({
        baseURL: example.url,
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        colorScheme,
      })
      await openShadowRoots(page)
      await example.signIn(page, 'acme-owner')
      await page.getByRole('button', { name: /^Mock/ }).click()
      const workbench = page.frameLocator('iframe')
      await workbench.getByRole('combobox', { name: 'Command' }).fill('409 create once')
      await workbench.getByRole('option', { name: /next request$/ }).waitFor()
      await page.keyboard.press('Enter')
      await workbench
        .getByRole('button', { name: 'End createProject: 409 PROJECT_NAME_TAKEN (next request)' })
        .waitFor()
      const form = page.getByRole('region', { name: 'New project' })
      await form.getByLabel('Name').fill('Roadmap')
      await form.getByRole('button', { name: 'Create' }).click()
      await projectRow(page, 'Mobile app').waitFor()
      await workbench.locator('.log-row[role=row]').filter({ hasText: '409' }).click()
      await workbench.getByText('"PROJECT_NAME_TAKEN"').waitFor()
      const dismiss = workbench.getByRole('button', { name: 'Dismiss' })
      // On a slow machine the message has already disappeared.
      if (await dismiss.isVisible()) await dismiss.click()
      await page.screenshot({ path: pathOf(colorScheme === 'dark' ? '-dark' : '') })
      await page.context().close()
    }
  } finally {
    await browser.close()
    await example.close()
  }
})
