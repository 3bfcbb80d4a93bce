import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createForm, profile, projectRow } from '../browser/dashboard-page.js'
import { startRelay } from '../browser/relay.js'
import { serveBuiltExample } from '../browser/serve-example.js'
import { browserOfFile } from '../browser/visit.js'
import { watch } from '../browser/watch.js'
import { type RealProvider, startRealProvider } from '../oidc/real-provider.js'
import { type Service, startService } from '../oidc/sign-in-flow.js'

// The example in a real browser, with production and an identity provider.

const browser: () => Browser = browserOfFile()
let provider: RealProvider
let service: Service
let example: { url: string }
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  provider = await startRealProvider()
  closers.push(provider.close)
  provider.accounts.ada = {
    email: 'ada@id.example',
    given_name: 'Ada',
    family_name: 'Osei',
    picture: '',
    org_code: 'org_acme',
    permissions: ['create:projects', 'update:projects'],
  }
  // The provider needs the URL of the example, and the example needs the URL of the service.
  const relay = await startRelay(() => service.url)
  closers.push(relay.close)
  const served = await serveBuiltExample(relay.url)
  closers.push(served.close)
  example = served
  await provider.register(example.url)
  service = await startService(provider, { publicUrl: example.url })
  closers.push(service.close)
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

it('signs in at the provider, creates a project, and signs out', async () => {
  const context = await browser().newContext({ baseURL: example.url, locale: 'en-GB' })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const { problems } = watch(page, false)
  try {
    await page.goto('/')
    await page.getByRole('link', { name: 'Sign in to your team' }).click()
    await page.waitForURL(`${provider.issuer}/interaction/*`)
    await page.getByRole('button', { name: 'I am ada' }).click()
    await page.waitForURL(`${example.url}/`)
    await profile(page).getByRole('heading', { name: 'Ada Osei' }).waitFor()
    await profile(page).getByText('ada@id.example').waitFor()

    const session = (await context.cookies(example.url)).find(({ name }) => name === 'session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })

    await createForm(page).getByLabel('Name').fill('Solar panels')
    await createForm(page).getByRole('button', { name: 'Create' }).click()
    await projectRow(page, 'Solar panels').waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    // The provider asks for confirmation, and redirects back.
    await page.waitForURL(`${provider.issuer}/session/end*`)
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.waitForURL(`${example.url}/`)
    await page.getByRole('link', { name: 'Sign in to your team' }).waitFor()
    expect((await context.cookies(example.url)).map(({ name }) => name)).not.toContain('session')
    // A new sign-in asks for the account again.
    await page.getByRole('link', { name: 'Sign in to your team' }).click()
    await page.getByRole('button', { name: 'I am ada' }).waitFor()

    // The old cookie is no longer valid.
    const headers = { cookie: `session=${session?.value}` }
    expect((await fetch(`${service.url}/v1/projects`, { headers })).status).toBe(401)
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
})
