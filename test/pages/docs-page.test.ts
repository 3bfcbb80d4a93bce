import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../src/contract/errors.js'
import { openApiDocument } from '../../src/contract/openapi.js'
import { type OperationName, operationNames, operations } from '../../src/contract/operations.js'
import type { Target } from '../../src/verify/runner/target.js'
import { faintTexts, isTooWide } from '../browser/contrast.js'
import { browserOfFile } from '../browser/visit.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'

const browser = browserOfFile()

describe.each([
  ['the dev server', startDevServer],
  ['production', startProduction],
])('the documentation of %s', (_, start) => {
  let target: Target
  beforeAll(async () => {
    target = await start()
  })
  afterAll(() => target?.close())

  test('is served as OpenAPI', async () => {
    const response = await fetch(`${target.baseUrl}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  test('answers HEAD without a body, and no other method', async () => {
    for (const path of ['/docs', '/docs/try-it.js', '/openapi.json']) {
      const head = await fetch(`${target.baseUrl}${path}`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect((await fetch(`${target.baseUrl}${path}`, { method: 'POST' })).status).toBe(404)
    }
  })

  /** Opens the page in a context of its own, signed in as nobody, or as a persona. */
  async function open(options: { width?: number; persona?: Parameters<Target['cookieOf']>[0] } = {}) {
    const { width = 390, persona } = options
    const context = await browser().newContext({ viewport: { width, height: 800 } })
    context.setDefaultTimeout(20_000)
    if (persona) {
      const value = target.cookieOf(persona).replace('session=', '')
      await context.addCookies([{ name: 'session', value, url: target.baseUrl, httpOnly: true }])
    }
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url().replace(target.baseUrl, '')))
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(`${target.baseUrl}/docs`)
    return { page, requests, messages, close: () => context.close() }
  }

  /** The form of an operation, opened. */
  async function formOf(page: Page, name: OperationName) {
    const panel = page.locator(`#try-${name}`)
    await panel.getByText('Try it').click()
    const form = panel.getByRole('form', { name: `Try it: ${operations[name].summary}` })
    await form.locator('.caller:not(:empty)').waitFor()
    const headers = panel.getByLabel('Headers of the response')
    const status = panel.getByRole('status')
    return {
      form,
      headers,
      /** Sends, and waits for a response with this status. */
      async send(code: number, act = () => form.getByRole('button', { name: 'Send' }).click()) {
        await act()
        await expect.poll(() => status.textContent()).toMatch(new RegExp(`^${code} .+, \\d+ ms, \\d+ bytes$`))
        return JSON.parse((await panel.getByLabel('Body of the response').textContent()) ?? '')
      },
      status,
    }
  }

  test('is a page with one script, without requests to other sites, and without broken links', async () => {
    const { page, requests, messages, close } = await open()
    try {
      expect(requests).toEqual(['/docs', '/docs/try-it.js'])
      expect(messages).toEqual([])
      expect(await page.locator('script').count()).toBe(1)
      const { headers } = await fetch(`${target.baseUrl}/docs`)
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; form-action/,
      )

      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      const schemas = Object.keys(openApiDocument().components.schemas)
      expect(ids).toEqual(expect.arrayContaining([...operationNames, ...schemas]))
      const links = await page.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
      for (const link of links.filter((link) => link.startsWith('#'))) expect(ids).toContain(link.slice(1))
      const pages = [...new Set(links.filter((link) => link.startsWith('/')))]
      expect(pages).toHaveLength(1 + Object.keys(errors).length)
      for (const path of pages) expect((await fetch(target.baseUrl + path)).status, path).toBe(200)

      // On a phone the page does not scroll sideways.
      expect(await isTooWide(page)).toBe(false)
    } finally {
      await close()
    }
  })

  test('sends the requests of its forms with the session of the browser', async () => {
    await target.reset()
    const { page, close } = await open({ persona: 'acme-owner' })
    try {
      const create = await formOf(page, 'createProject')
      const example = JSON.parse((await create.form.getByLabel('Body').inputValue()) ?? '')
      expect(example).toEqual(operations.createProject.body.example)
      await create.form.getByLabel('Body').fill('{"name":"Tried <b>out</b>"}')
      const { project } = await create.send(201)
      expect(project).toMatchObject({ name: 'Tried <b>out</b>', status: 'active' })
      expect(await create.headers.textContent()).toContain('content-type: application/json')
      // Errors are shown as they are, whatever was sent. With the keyboard, too.
      expect(
        await create.send(409, () => create.form.getByLabel('Body').press('Control+Enter')),
      ).toMatchObject({
        code: 'PROJECT_NAME_TAKEN',
        docsUrl: expect.stringContaining('/docs/errors/'),
      })
      await create.form.getByLabel('Body').fill('{')
      const byKeyboard = () => create.form.getByRole('button').press('Enter')
      expect(await create.send(422, byKeyboard)).toMatchObject({ code: 'VALIDATION_FAILED', details: null })

      const update = await formOf(page, 'updateProject')
      await update.form.getByLabel('projectId').fill('none/../of these')
      expect(await update.send(404)).toMatchObject({ code: 'PROJECT_NOT_FOUND' })
      await update.form.getByLabel('projectId').fill(project.id)
      expect(await update.send(200)).toEqual({ project: { ...project, status: 'completed' } })

      expect(await (await formOf(page, 'listProjects')).send(200)).toMatchObject({
        projects: expect.arrayContaining([expect.objectContaining({ id: project.id })]),
      })
      expect(await (await formOf(page, 'getSession')).send(200)).toMatchObject({
        user: { email: 'ada@acme.example' },
      })
      expect(await (await formOf(page, 'joinWaitlist')).send(200)).toEqual({ status: 'ok' })
    } finally {
      await close()
    }
  })

  test('is signed in as who it chooses in the mock, and elsewhere by signing in', async () => {
    const { page, requests, close } = await open()
    try {
      const { form, send } = await formOf(page, 'getSession')
      expect(await send(401)).toEqual({ error: expect.any(String) })
      if (target.mode === 'production') {
        expect(requests.filter((path) => path.startsWith('/__dev/'))).toEqual([])
        const link = form.getByRole('link', { name: 'Sign in' })
        expect(await link.getAttribute('href')).toBe('/auth/sign-in?returnTo=/docs')
        return
      }
      const choice = form.getByLabel('Send as')
      for (const [persona, email] of [
        ['acme-viewer', 'vera@acme.example'],
        ['globex-owner', 'gus@globex.example'],
      ]) {
        await choice.selectOption(`=${persona}`)
        expect(await send(200)).toMatchObject({ user: { email } })
      }
      await choice.selectOption('nobody, signed out')
      expect(await send(401)).toEqual({ error: expect.any(String) })
    } finally {
      await close()
    }
  })

  test('tells that no response came, and cancels a request', async () => {
    const { page, close } = await open()
    try {
      const { form, status } = await formOf(page, 'listProjects')
      await page.route('**/v1/projects', () => {})
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(() => status.textContent()).toBe('Cancelled.')
      await page.unroute('**/v1/projects')
      await page.route('**/v1/projects', (route) => route.abort())
      await form.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => status.textContent()).toMatch(/^No response: /)
    } finally {
      await close()
    }
  })

  test('can be read on every screen, in light and dark colours', async () => {
    const { page, close } = await open({ persona: 'acme-owner' })
    try {
      const update = await formOf(page, 'updateProject')
      await update.form.getByLabel('Body').fill(`{"name":"${'n'.repeat(200)}","other":1}`)
      await update.send(422)
      for (const width of [390, 1280, 2000]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await isTooWide(page), String(width)).toBe(false)
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await faintTexts(page)).toEqual([])
      }
    } finally {
      await close()
    }
  })
})
