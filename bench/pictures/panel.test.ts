import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { projectRow } from '../../test/browser/dashboard-page.js'
import { overWorker } from '../../test/browser/example-back-ends.js'
import { launchBrowser } from '../../test/browser/launch.js'

const path = fileURLToPath(new URL('../../docs/pictures/panel.png', import.meta.url))

test('the picture of the panel over the example', async () => {
  const example = await overWorker()
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({
      baseURL: example.url,
      viewport: { width: 1280, height: 720 },
      locale: 'en-GB',
    })
    await example.signIn(page, 'acme-owner')
    await page.getByRole('button', { name: /^Mock/ }).click()
    const panel = page.getByRole('complementary', { name: 'Mock' })
    await panel.getByLabel('Operation or scenario').selectOption('createProject')
    await panel.getByLabel('Outcome', { exact: true }).selectOption('PROJECT_NAME_TAKEN')
    await panel.getByRole('button', { name: 'Force' }).click()
    await panel.getByText('createProject PROJECT_NAME_TAKEN').waitFor()
    const form = page.getByRole('region', { name: 'New project' })
    await form.getByLabel('Name').fill('Roadmap')
    await form.getByRole('button', { name: 'Create' }).click()
    await projectRow(page, 'Mobile app').waitFor()
    await panel.getByText('409').click()
    await panel.getByText('Response body').waitFor()
    await page.screenshot({ path })
  } finally {
    await browser.close()
    await example.close()
  }
})
