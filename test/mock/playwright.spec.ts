import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { defineNetworkFixture } from '@msw/playwright'
import { expect, type Page } from '@playwright/test'
import { connectToMock } from 'dashboard-api/control'
import { test } from 'dashboard-api/playwright'
import { HttpResponse, http } from 'msw'

// playwright.test.ts runs each test with a separate mock, and with a space of a dev server.

/** Requests a path from the page. */
const request = (page: Page, path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init)
      const text = await response.text()
      return { status: response.status, body: text && JSON.parse(text) }
    },
    [path, init] as const,
  )

const createProject = (page: Page, name: string) =>
  request(page, '/v1/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })

const names = async (page: Page): Promise<string[]> =>
  (await request(page, '/v1/projects')).body.projects.map(({ name }: { name: string }) => name)

const emailOf = async (page: Page): Promise<string | undefined> =>
  (await request(page, '/v1/auth/me')).body.user?.email

// A page of the application's origin, without the application.
test.beforeEach(async ({ page, mock }) => {
  mock.network.use(http.get('*/blank', () => HttpResponse.html('<title>Blank</title>')))
  await page.goto('/blank')
})

test('starts signed in, with the demo', async ({ page }) => {
  expect(await names(page)).toHaveLength(4)
  expect(await emailOf(page)).toBe('ada@acme.example')
})

for (const attempt of [1, 2, 3]) {
  test(`is isolated from other tests, ${attempt}`, async ({ page, mock }) => {
    expect(await createProject(page, 'The only one')).toMatchObject({ status: 201 })
    expect((await names(page)).filter((name) => name === 'The only one')).toHaveLength(1)
    expect(await mock.scenarios.list()).toEqual([])
    await mock.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: null })
    expect(await createProject(page, 'Another')).toMatchObject({
      status: 409,
      body: { code: 'PROJECT_NAME_TAKEN' },
    })
  })
}

test('changes the signed-in persona, also after a sign-in on the page', async ({ page, mock }) => {
  await mock.session.use('acme-viewer')
  expect(await emailOf(page)).toBe('vera@acme.example')
  expect(await mock.session.current()).toMatchObject({ id: 'acme-viewer' })
  expect((await mock.session.list()).map(({ id }) => id)).toContain('no-team')

  await page.goto('/auth/sign-in?returnTo=/blank')
  await page.getByRole('button', { name: /^globex-owner/ }).click()
  await page.waitForURL('/blank')
  expect(await emailOf(page)).toBe('gus@globex.example')

  await mock.session.use('acme-owner')
  expect(await emailOf(page)).toBe('ada@acme.example')
  await mock.session.signOut()
  expect(await request(page, '/v1/projects')).toMatchObject({ status: 401 })

  await request(page, '/auth/sign-out', { method: 'POST' })
  expect(await request(page, '/v1/projects')).toMatchObject({ status: 401 })
  await mock.session.use('acme-owner')
  expect(await emailOf(page)).toBe('ada@acme.example')
  await expect(mock.session.use('nobody')).rejects.toThrow('no persona "nobody"')
})

test('resets all but the log, and signs in again', async ({ page, mock }) => {
  await createProject(page, 'Gone')
  await mock.session.use('acme-viewer')
  await mock.delay.set(20)
  await mock.clock.set({ at: '2030-01-01T00:00:00Z' })
  await mock.scenarios.set({ target: 'empty' })
  expect(await names(page)).toEqual([])
  await mock.reset()
  expect(await names(page)).toHaveLength(4)
  expect(await emailOf(page)).toBe('ada@acme.example')
  expect(await mock.delay.get()).toMatchObject({ operations: {} })
  expect((await mock.log.read()).map(({ path }) => path)).toContain('/v1/projects')
})

test.describe('with custom handlers', () => {
  test.use({
    mockOptions: ({ mockOptions }, provide) =>
      provide({
        ...mockOptions,
        handlers: [
          http.get('/api/invoices', () => HttpResponse.json(['one of mine'])),
          http.get('/v1/projects', ({ request }) =>
            request.headers.get('x-mine') ? HttpResponse.json({ projects: [] }) : undefined,
          ),
        ],
      }),
  })

  test('calls them first, and those of the test before them', async ({ page, mock }) => {
    expect(await request(page, '/api/invoices')).toEqual({ status: 200, body: ['one of mine'] })
    expect((await request(page, '/v1/projects', { headers: { 'x-mine': '1' } })).body).toEqual({
      projects: [],
    })
    expect(await names(page)).toHaveLength(4)
    mock.network.use(http.get('/api/invoices', () => HttpResponse.json(['of the test'])))
    expect((await request(page, '/api/invoices')).body).toEqual(['of the test'])
  })

  test('forgets those of another test', async ({ page }) => {
    expect((await request(page, '/api/invoices')).body).toEqual(['one of mine'])
  })
})

test.describe('with headers of the tests', () => {
  test.use({ extraHTTPHeaders: { 'x-own': 'yes' } })

  test('keeps them, and is isolated nevertheless', async ({ page, mock }) => {
    await createProject(page, 'With a header')
    const sent = page.waitForRequest('**/v1/projects')
    expect(await names(page)).toContain('With a header')
    expect(await (await sent).allHeaders()).toMatchObject({ 'x-own': 'yes' })
    const { projects } = await mock.state.export()
    expect(projects.map(({ name }) => name)).toContain('With a header')
  })
})

test.describe('without a persona', () => {
  test.use({
    mockOptions: ({ mockOptions: { session: _, ...others } }, provide) => provide(others),
  })

  test('starts signed out, and signs out at a reset', async ({ page, mock }) => {
    expect(await request(page, '/v1/projects')).toMatchObject({ status: 401 })
    await mock.session.use('acme-owner')
    expect(await names(page)).toHaveLength(4)
    await mock.reset()
    expect(await request(page, '/v1/projects')).toMatchObject({ status: 401 })
  })
})

test.describe('with cookies of the context', () => {
  const cookie = (name: string, value: string) => ({
    name,
    value,
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax' as const,
  })

  test.describe('a persona', () => {
    test.use({ storageState: { origins: [], cookies: [cookie('session', 'globex-owner')] } })
    test('leaves it signed in', async ({ page }) => {
      expect(await emailOf(page)).toBe('gus@globex.example')
    })
  })

  test.describe('a session of another service', () => {
    test.use({
      storageState: { origins: [], cookies: [cookie('session', 'eyJh'), cookie('theme', 'dark')] },
    })
    test('signs in', async ({ page }) => {
      expect(await emailOf(page)).toBe('ada@acme.example')
    })
  })
})

test('serves a second browser context with another persona', async ({
  browser,
  page,
  mock,
  mockSpace,
  baseURL,
}) => {
  const other = await browser.newContext()
  if (mockSpace === undefined) {
    await defineNetworkFixture({ context: other, handlers: mock.handlers }).enable()
  }
  await other.addCookies([{ name: 'session', value: 'acme-viewer', url: baseURL ?? '' }])
  const viewer = await other.newPage()
  await other.route('**/blank', (route) => route.fulfill({ body: 'Blank' }))
  await viewer.goto('/blank')
  await createProject(page, 'Seen by both')
  expect(await names(viewer)).toContain('Seen by both')
  expect(await createProject(viewer, 'Not allowed')).toMatchObject({ status: 403 })
  await other.close()
})

test.describe('a late response', () => {
  test.describe.configure({ mode: 'serial' })

  test('does not delay the end of the test', async ({ page, mock }) => {
    await mock.delay.set(400, 'getSession')
    await mock.scenarios.set({ target: 'listProjects', outcome: 'hang', times: null })
    await page.evaluate(() => {
      void fetch('/v1/auth/me')
      void fetch('/v1/projects')
    })
    expect(await createProject(page, 'Meanwhile')).toMatchObject({ status: 201 })
  })

  test('does not fail the next one', async ({ page, mock }) => {
    await mock.delay.set(800)
    expect(await names(page)).toHaveLength(4)
  })
})

test('warns of a registered service worker, and does not say that it answers', async ({ page }) => {
  const warnings: string[] = []
  const { warn } = console
  console.warn = (text: string) => warnings.push(text)
  const script = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))
  try {
    await page.evaluate(async (url) => void (await navigator.serviceWorker.register(url)), `/@fs${script}`)
    await expect
      .poll(() => warnings)
      .toEqual([
        expect.stringMatching(
          /^The page has registered the service worker \S+\/mockServiceWorker.js: what that answers does not reach the mock of Playwright's fixture\. Do not start a mock in the page, or set `use\.serviceWorkers` to 'block'\.$/,
        ),
      ])
    // MSW was not started: its worker leaves all requests to the mock of the fixture.
    expect(await names(page)).toHaveLength(4)
  } finally {
    console.warn = warn
  }
})

test.describe('for a service of another origin', () => {
  const service = 'http://127.0.0.1:9'
  test.use({ mockOptions: { session: 'acme-owner', baseUrl: service } })

  test('allows the origin of the page', async ({ page, mock }) => {
    const init: RequestInit = { credentials: 'include' }
    expect((await request(page, `${service}/v1/projects`, init)).body.projects).toHaveLength(4)
    const body = JSON.stringify({ name: 'From elsewhere' })
    const headers = { 'content-type': 'application/json' }
    expect(
      await request(page, `${service}/v1/projects`, { ...init, method: 'POST', headers, body }),
    ).toMatchObject({ status: 201 })
    await mock.session.signOut()
    expect(await request(page, `${service}/v1/projects`, init)).toMatchObject({ status: 401 })
  })
})

test.describe('a running mock that starts with a persona', () => {
  test.use({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern.
    mockOptions: async ({}, provide) => {
      const args = ['dev', '--port', '0', '--session', 'acme-viewer', '--json']
      const server = spawn(process.execPath, ['bin/dashboard-api.js', ...args])
      const [line] = await once(createInterface(server.stdout), 'line')
      await provide({ url: JSON.parse(line).url })
      server.kill()
    },
  })

  test('signs out, and restarts with a reset', async ({ page, mock, mockOptions: { url } }) => {
    const status = async () => (await page.goto(`${url}/v1/auth/me`))?.status()
    expect(await status()).toBe(200)
    await mock.session.signOut()
    expect(await status()).toBe(401)
    await mock.reset()
    expect(await status()).toBe(200)
    await mock.session.signOut()
    await mock.session.use('acme-owner')
    expect(await status()).toBe(200)
  })
})

test('a limited outcome is for the request that the page does not abort', async ({ page, mock }) => {
  for (const _ of [1, 2, 3]) {
    await mock.scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 })
    const status = await page.evaluate(async () => {
      const controller = new AbortController()
      fetch('/v1/auth/me', { signal: controller.signal }).catch(() => {})
      controller.abort()
      return (await fetch('/v1/auth/me')).status
    })
    expect(status).toBe(503)
    expect(await mock.scenarios.list()).toEqual([])
  }
})

test('the end of a request that a route of the test aborts is not that of the next one', async ({
  page,
  mock,
}) => {
  const status = () => page.evaluate(async () => (await fetch('/v1/auth/me').catch(() => undefined))?.status)
  await page.route('**/v1/auth/me', (route) => route.abort('aborted'))
  expect(await status()).toBeUndefined()
  await page.unroute('**/v1/auth/me')
  await mock.scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 })
  expect([await status(), await status()]).toEqual([503, 200])
})

test.describe('a space', () => {
  test.describe.configure({ mode: 'serial' })
  test.skip(({ mockOptions }) => mockOptions.url === undefined, 'There is none without a server.')
  let earlier: string | undefined

  test('is that of the test', async ({ mockOptions: { url }, mockSpace }) => {
    earlier = mockSpace
    expect(await connectToMock(url).spaces.list()).toContain(earlier)
  })

  test('is removed after the test', async ({ mockOptions: { url } }) => {
    expect(earlier).toBeDefined()
    expect(await connectToMock(url).spaces.list()).not.toContain(earlier)
  })
})
