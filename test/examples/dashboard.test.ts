import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import {
  createForm,
  descriptionOf,
  getsFocus,
  matches,
  profile,
  projectNames,
  projectRow,
  projectRows,
  statusOf,
} from '../browser/dashboard-page.js'
import { overDevServer, overProduction, overWorker } from '../browser/example-back-ends.js'
import { browserOfFile, describeExample } from '../browser/visit.js'

const backEnds = {
  'the worker in the page': overWorker,
  'dashboard-api dev': overDevServer,
  'dashboard-api serve': overProduction,
}

const demoProjects = ['Data warehouse', 'Äpfel & Birnen', 'Mobile app', 'Website relaunch']

const browser = browserOfFile()
for (const [name, start] of Object.entries(backEnds)) {
  describeExample(`the example against ${name}`, browser, start, (visit) => {
    visit('shows the session and the projects of the team', [], async ({ page, signIn, isMock }) => {
      await signIn('acme-owner')
      await projectRows(page).first().waitFor()
      expect(await projectNames(page)).toEqual(demoProjects)
      expect(await page.getByRole('heading', { level: 1, name: 'Projects' }).count()).toBe(1)
      expect(await statusOf(page, 'Mobile app').inputValue()).toBe('paused')

      await profile(page).getByRole('heading', { name: 'Ada Osei' }).waitFor()
      await profile(page).getByText('ada@acme.example').waitFor()
      expect(await profile(page).getByRole('definition').allTextContents()).toEqual([
        'org_acme',
        'team-acme',
        'create:projectsupdate:projects',
        // Section 2.2: only the mock sends the role.
        ...(isMock ? ['owner mock sign-in'] : []),
      ])
      // The picture cannot be loaded, so the initials are shown.
      await profile(page).getByText('AO', { exact: true }).waitFor()
    })

    visit('creates a project, confirms it, and is ready for the next', [], async ({ page, signIn }) => {
      await signIn('acme-owner')
      const form = createForm(page)
      await form.getByLabel('Name').fill('Solar panels')
      await form.getByLabel('Description').fill('On the roof.')
      await form.getByRole('button', { name: 'Create' }).click()

      await form.getByRole('status').getByText('“Solar panels” was created.').waitFor()
      await projectRow(page, 'Solar panels').getByText('On the roof.').waitFor()
      expect(await projectNames(page)).toEqual(['Solar panels', ...demoProjects])
      expect(await statusOf(page, 'Solar panels').inputValue()).toBe('active')
      await getsFocus(form.getByLabel('Name'))
      await eventually(() => form.getByLabel('Name').inputValue(), '')
    })

    visit(
      'shows at the name field that the name is taken, and keeps the input',
      ['409 POST /v1/projects'],
      async ({ page, signIn }) => {
        await signIn('acme-owner')
        const field = createForm(page).getByLabel('Name')
        await field.fill('äPFEL & BIRNEN')
        await field.press('Enter')
        await showsError(field, 'Your team already has a project with this name.')
        expect(await field.inputValue()).toBe('äPFEL & BIRNEN')
        expect(await projectNames(page)).toEqual(demoProjects)

        await field.fill('Pears alone')
        await field.press('Enter')
        await projectRow(page, 'Pears alone').waitFor()
        await matches(field, '[aria-invalid=false]')
      },
    )

    visit(
      'shows at the name field why the name is invalid',
      ['422 POST /v1/projects'],
      async ({ page, signIn }) => {
        await signIn('acme-owner')
        await createForm(page).getByRole('button', { name: 'Create' }).click()
        await showsError(createForm(page).getByLabel('Name'), 'Must not be empty')
      },
    )

    visit(
      'renames in place, by keyboard, and restores the focus',
      ['409 PATCH /v1/projects/{projectId}'],
      async ({ page, signIn }) => {
        await signIn('acme-owner')
        await page.getByRole('button', { name: 'Rename Mobile app' }).press('Enter')
        const field = projectRows(page).getByRole('textbox', { name: 'Name' })
        await getsFocus(field)

        await field.fill('Website RELAUNCH')
        await field.press('Enter')
        await showsError(field, 'Your team already has a project with this name.')

        await field.fill('Mobile apps')
        await field.press('Enter')
        await projectRow(page, 'Mobile apps').waitFor()
        const button = page.getByRole('button', { name: 'Rename Mobile apps' })
        await getsFocus(button)

        await button.press('Enter')
        await field.fill('Something else')
        await field.press('Escape')
        await field.waitFor({ state: 'detached' })
        expect(await projectNames(page)).toContain('Mobile apps')
      },
    )

    visit('changes status and description, which a reload shows', [], async ({ page, signIn }) => {
      await signIn('acme-owner')
      await statusOf(page, 'Mobile app').selectOption('completed')
      await matches(statusOf(page, 'Mobile app'), '[aria-busy=false]')

      await page.getByRole('button', { name: 'Edit the description of Mobile app' }).click()
      const row = projectRow(page, 'Mobile app')
      await row.getByLabel('Description').fill('For both kinds of phone.')
      await row.getByRole('button', { name: 'Save' }).click()
      await row.getByText('For both kinds of phone.').waitFor()

      await page.reload()
      await row.getByText('For both kinds of phone.').waitFor()
      expect(await statusOf(page, 'Mobile app').inputValue()).toBe('completed')
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
    })

    visit('shows a viewer the projects, and why they cannot be changed', [], async ({ page, signIn }) => {
      await signIn('acme-viewer')
      await projectRow(page, 'Mobile app').waitFor()
      const form = createForm(page)
      for (const control of [form.getByLabel('Name'), form.getByRole('button', { name: 'Create' })]) {
        expect(await control.isDisabled()).toBe(true)
      }
      expect(await descriptionOf(form.getByRole('group', { name: 'New project' }))).toContain(
        'create:projects',
      )

      const changes = [
        statusOf(page, 'Mobile app'),
        page.getByRole('button', { name: 'Rename Mobile app' }),
        page.getByRole('button', { name: 'Edit the description of Mobile app' }),
      ]
      for (const control of changes) {
        expect(await control.isDisabled()).toBe(true)
        expect(await descriptionOf(control)).toContain('update:projects')
      }
    })

    visit('asks a caller without organisation to finish onboarding', [], async ({ page, signIn }) => {
      await signIn('no-organization')
      await page.getByRole('heading', { level: 1, name: 'Finish setting up your account' }).waitFor()
      await profile(page).getByText('nora@example.com').waitFor()
      expect(await createForm(page).count()).toBe(0)
    })

    visit('explains that the organisation has no team', [], async ({ page, signIn }) => {
      await signIn('no-team')
      await page.getByRole('heading', { level: 1, name: 'Your organisation has no team yet' }).waitFor()
      await page.getByRole('main').getByText('There is no team for org_initech').waitFor()
      expect(await createForm(page).count()).toBe(0)
    })

    visit('accepts an address for the waitlist, signed out', ['422 POST /v1/waitlist'], async ({ page }) => {
      await page.goto('/')
      const form = page.getByRole('region', { name: 'New here?' })
      const field = form.getByLabel('Email')
      await field.fill('nobody')
      await form.getByRole('button', { name: 'Join the waitlist' }).click()
      await showsError(field, 'Enter an email address, like ada@example.com.')

      await field.fill('  Hedy@Example.com ')
      await field.press('Enter')
      await form.getByRole('status').getByText('is on the list').waitFor()
      await eventually(() => field.inputValue(), '')
    })

    visit('signs out, also after a reload', [], async ({ page, signIn }) => {
      await signIn('acme-owner')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in to your team' }).waitFor()
      // The button that had the focus was removed.
      await getsFocus(page.getByRole('main'))
      await page.reload()
      const link = page.getByRole('link', { name: 'Sign in to your team' })
      expect(await link.getAttribute('href')).toBe('/auth/sign-in?returnTo=%2F')
    })
  })
}

/** Waits until a field shows an error and has the focus. */
async function showsError(field: Locator, message: string): Promise<void> {
  await matches(field, '[aria-invalid=true]')
  expect(await descriptionOf(field)).toBe(message)
  await getsFocus(field)
}

const eventually = (read: () => Promise<string>, value: string) => expect.poll(read).toBe(value)
