import { expect, onTestFinished, test } from 'vitest'
import { createForm } from '../../browser/dashboard-page.js'
import { serveExample } from '../../browser/serve-example.js'
import { browserOfFile } from '../../browser/visit.js'
import { startMcp } from './mcp-session.js'

const browser = browserOfFile()

test('mcp --page forces a response of the mock in the page, and reads its requests', async () => {
  const example = await serveExample()
  onTestFinished(example.close)
  const { initialize, tool } = startMcp(['--page', '--url', example.url])
  await initialize()
  const before = await tool('overview')
  expect(before).toMatchObject({
    isError: true,
    text: expect.stringContaining('No page has connected'),
  })

  const context = await browser().newContext({ baseURL: example.url })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto('/')
  await expect.poll(async () => (await tool('overview')).text, { timeout: 15_000 }).toContain('acme-owner')
  await tool('use_persona', { id: 'acme-owner' })
  await page.reload()
  await createForm(page).getByLabel('Name').fill('Apollo')
  await expect.poll(async () => (await tool('overview')).isError).toBe(false)
  await tool('force_outcome', { target: 'createProject', outcome: 409, times: 1 })
  await createForm(page).getByRole('button', { name: 'Create' }).click()
  await page.getByText('Your team already has a project with this name.').waitFor()
  const { requests } = (await tool('read_log', { failed: true, limit: 1 })).json()
  expect(requests).toMatchObject([{ operation: 'createProject', code: 'PROJECT_NAME_TAKEN' }])
  const wrong = await tool('force_outcome', { target: 'createProjct', outcome: 409, times: null })
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('Possible: createProject') })
  expect(await tool('use_space', { name: 'mine' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Only a mock that is served has spaces.'),
  })
})

test('mcp --page serves this machine and controls only', async () => {
  const example = await serveExample()
  onTestFinished(example.close)
  const send = (path: string, headers: Record<string, string>) =>
    fetch(`${example.url}${path}`, { headers: { 'x-mock-page': '1', ...headers } })
  expect((await send('/__dev/lost', {})).status).toBe(404)
  expect((await send('/__dev/history', { origin: 'https://evil.example' })).status).toBe(403)
})
