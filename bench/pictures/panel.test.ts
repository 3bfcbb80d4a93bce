import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { projectRow } from '../../test/browser/dashboard-page.js'
import { overWorker } from '../../test/browser/example-back-ends.js'
import { launchBrowser } from '../../test/browser/launch.js'
import { openShadowRoots } from '../../test/mock/open-shadow-roots.js'

const path = fileURLToPath(new URL('../../docs/pictures/panel.png', import.meta.url))

test('the picture of the workbench below the example', async () => {
  const example = await overWorker()
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({
      baseURL: example.url,
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
    })
    await openShadowRoots(page)
    await example.signIn(page, 'acme-owner')
    await page.getByRole('button', { name: /^Mock/ }).click()
    const workbench = page.frameLocator('iframe')
    await workbench.getByRole('link', { name: 'Outcomes' }).click()
    await workbench.getByRole('button', { name: 'Outcome of createProject' }).click()
    await workbench.getByRole('menuitem', { name: 'PROJECT_NAME_TAKEN' }).click()
    await workbench.getByText('createProject: PROJECT_NAME_TAKEN').waitFor()
    await workbench.getByRole('link', { name: 'Log' }).click()
    const form = page.getByRole('region', { name: 'New project' })
    await form.getByLabel('Name').fill('Roadmap')
    await form.getByRole('button', { name: 'Create' }).click()
    await projectRow(page, 'Mobile app').waitFor()
    await workbench.getByRole('row').filter({ hasText: '409' }).click()
    await workbench.getByText('"PROJECT_NAME_TAKEN"').waitFor()
    await page.screenshot({ path })
  } finally {
    await browser.close()
    await example.close()
  }
})
