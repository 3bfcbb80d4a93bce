import { expect, type Page } from '@playwright/test'
import { test } from 'dashboard-api/playwright'

const form = (page: Page) => page.getByRole('region', { name: 'New project' })

async function create(page: Page, name: string): Promise<void> {
  await form(page).getByLabel('Name').fill(name)
  await form(page).getByRole('button', { name: 'Create' }).click()
}

test('shows that a name is taken', async ({ page, mock }) => {
  await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' })
  await page.goto('/')
  await create(page, 'Roadmap')
  await expect(form(page).getByText('Your team already has a project with this name.')).toBeVisible()
})

// Each test has a mock of its own: these run at the same time, and each creates the only project of that name.
for (const attempt of [1, 2, 3, 4]) {
  test(`creates a project, ${attempt}`, async ({ page }) => {
    await page.goto('/')
    await create(page, 'Solar panels')
    const projects = page.getByRole('list', { name: 'Projects' }).getByRole('listitem')
    await expect(form(page).getByLabel('Name')).toHaveValue('')
    await expect(projects).toHaveCount(5)
    await expect(projects.getByRole('heading').first()).toHaveText('Solar panels')
  })
}

test('lets a viewer read only', async ({ page, mock }) => {
  await mock.session.use('acme-viewer')
  await page.goto('/')
  await expect(form(page).getByLabel('Name')).toBeDisabled()
})

test('lets a visitor sign in', async ({ page, mock }) => {
  await mock.session.signOut()
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in to your team' }).click()
  await page.getByRole('button', { name: /^globex-owner/ }).click()
  await expect(page.getByText('Gus Tanaka')).toBeVisible()
})
