import { expect } from 'vitest'
import { createForm, getsFocus, profile, projectRow } from '../browser/dashboard-page.js'
import { overDevServer } from '../browser/example-back-ends.js'
import { browserOfFile, describeExample } from '../browser/visit.js'

// States that the demo fixture does not lead to: the tests replace responses of the service.
describeExample('the example in rare states', browserOfFile(), overDevServer, (visit) => {
  visit('shows that it is loading until the response arrives', [], async ({ page, signIn }) => {
    let respond = () => {}
    const isReleased = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.route('**/v1/projects', async (route) => {
      await isReleased
      await route.continue()
    })
    await signIn('acme-owner')
    await page.getByRole('status').getByText('Loading…').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
    respond()
    await projectRow(page, 'Mobile app').waitFor()
    expect(await page.getByRole('status').getByText('Loading…').count()).toBe(0)
  })

  visit('shows a failure, and loads again on request', ['503 GET /v1/projects'], async ({ page, signIn }) => {
    const unavailable = { error: 'Not now.', code: 'SERVICE_UNAVAILABLE', docsUrl: 'http://127.0.0.1/docs' }
    await page.route('**/v1/projects', (route) => route.fulfill({ status: 503, json: unavailable }))
    await signIn('acme-owner')
    const failure = page.getByRole('alert')
    await failure.getByText('Not now.').waitFor()

    await page.unroute('**/v1/projects')
    await failure.getByRole('button', { name: 'Try again' }).click()
    await projectRow(page, 'Mobile app').waitFor()
    await getsFocus(page.getByRole('main'))
  })

  visit('reports a network failure while saving, and keeps the input', [], async ({ page, signIn }) => {
    await signIn('acme-owner')
    const form = createForm(page)
    await form.getByLabel('Name').fill('Solar panels')
    await page.route('**/v1/projects', (route) => route.abort('aborted'))
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect(await form.getByLabel('Name').inputValue()).toBe('Solar panels')
  })

  visit('invites to create the first project if there is none', [], async ({ page, signIn }) => {
    await page.route('**/v1/projects', (route) => route.fulfill({ json: { projects: [] } }))
    await signIn('acme-owner')
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await page.getByText('0 projects').waitFor()
    await page.unroute('**/v1/projects')
    await createForm(page).getByLabel('Name').fill('Solar panels')
    await createForm(page).getByLabel('Name').press('Enter')
    await projectRow(page, 'Solar panels').waitFor()
  })

  visit(
    'asks to sign in again when the session has ended',
    ['401 POST /v1/projects'],
    async ({ page, signIn }) => {
      await signIn('acme-owner')
      await profile(page).waitFor()
      await page.context().clearCookies()
      await createForm(page).getByLabel('Name').fill('Too late')
      await createForm(page).getByLabel('Name').press('Enter')
      await page.getByText('Your session has ended. Sign in again to continue.').waitFor()
    },
  )

  visit('shows the picture of the user', [], async ({ page, signIn }) => {
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    await page.route('https://avatars.example/**', (route) =>
      route.fulfill({ body, contentType: 'image/svg+xml' }),
    )
    await signIn('acme-owner')
    const picture = profile(page).locator('img')
    await picture.waitFor()
    expect(await picture.getAttribute('src')).toBe('https://avatars.example/ada.png')
    expect(await picture.getAttribute('alt')).toBe('')
  })
})
