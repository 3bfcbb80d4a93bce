import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createForm, profile, projectNames, projectRow, projectRows } from '../browser/dashboard-page.js'
import { overWorker } from '../browser/example-back-ends.js'
import { browserOfFile, describeExample } from '../browser/visit.js'
import { openShadowRoots } from '../mock/open-shadow-roots.js'

describeExample('the mock in the page', browserOfFile(), overWorker, (visit) => {
  visit('switches the persona and its permissions at once', [], async ({ page }) => {
    await openShadowRoots(page)
    await page.goto('/')
    const persona = launcher(page).getByLabel('Persona')
    await persona.selectOption('acme-viewer')
    await profile(page).getByRole('heading', { name: 'Vera Moreau' }).waitFor()
    expect(await createForm(page).getByLabel('Name').isDisabled()).toBe(true)

    await persona.selectOption('globex-owner')
    await profile(page).getByRole('heading', { name: 'Gus Tanaka' }).waitFor()
    expect(await projectNames(page)).toEqual(['Reactor safety', 'Website relaunch'])
    expect(await createForm(page).getByLabel('Name').isDisabled()).toBe(false)

    await persona.selectOption('signed out')
    await page.getByRole('link', { name: 'Sign in to your team' }).waitFor()
    await persona.selectOption('expired')
    await page.getByRole('link', { name: 'Sign in to your team' }).waitFor()
  })

  visit('keeps the persona and the data over a reload, until a reset', [], async ({ page, signIn }) => {
    await openShadowRoots(page)
    await signIn('acme-owner')
    await createForm(page).getByLabel('Name').fill('Solar panels')
    await createForm(page).getByRole('button', { name: 'Create' }).click()
    await projectRow(page, 'Solar panels').waitFor()

    await page.reload()
    await projectRow(page, 'Solar panels').waitFor()
    await expect.poll(() => launcher(page).getByLabel('Persona').inputValue()).toBe('acme-owner')
    await launcher(page).getByRole('button', { name: /^Mock/ }).click()
    const workbench = page.frameLocator('iframe')
    await workbench.getByRole('link', { name: 'Data' }).click()
    await workbench.getByRole('button', { name: 'State' }).click()
    await workbench.getByRole('option', { name: /^Reset everything/ }).click()
    await projectRow(page, 'Solar panels').waitFor({ state: 'detached' })
    // A reset signs out: no user is signed in at the start.
    await workbench.getByRole('button', { name: 'You are signed out' }).click()
    await workbench.getByRole('option', { name: /^acme-owner/ }).click()
    await projectRow(page, 'Mobile app').waitFor()
    await page.reload()
    await projectRows(page).first().waitFor()
    expect(await projectNames(page)).not.toContain('Solar panels')
  })
})

const launcher = (page: Page) => page.getByRole('complementary', { name: 'Mock' })
