import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../test/browser/launch.js'

const run = promisify(execFile)

describe('the example of Storybook, installed with the packed package and built', () => {
  let folder: string
  let server: PreviewServer
  let browser: Browser
  let page: Page
  let story: FrameLocator
  let problems: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-storybook-'))
    await cp('examples/storybook', folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    // `npm run check:storybook` has built the package.
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder])
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
    const inFolder = { cwd: folder }
    await run(
      'npm',
      ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`],
      inFolder,
    )
    await run('npm', ['test'], inFolder)
    server = await preview({
      root: folder,
      configFile: false,
      appType: 'mpa',
      build: { outDir: 'storybook-static' },
      preview: { host: '127.0.0.1', port: 0 },
    })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  beforeEach(async () => {
    problems = []
    page = await browser.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    story = page.frameLocator('#storybook-preview-iframe')
    await page.goto(`${server.resolvedUrls?.local[0]}?path=/story/projects--demo`)
    await story.getByRole('listitem').first().waitFor()
  })
  afterEach(async () => {
    await page.close()
    expect(problems).toEqual([])
  })

  /** Visits a story by the sidebar, which does not reload the page. */
  const visit = (name: string) => page.getByRole('link', { name, exact: true }).click()

  async function create(name: string): Promise<void> {
    await story.getByLabel('Name').fill(name)
    await story.getByRole('button', { name: 'Create' }).click()
  }
  const projects = () => story.getByRole('listitem').allTextContents()
  const alert = (text: string) => story.getByRole('alert').filter({ hasText: text }).waitFor()

  it('starts a story anew when it is visited again', async () => {
    expect(await projects()).toHaveLength(4)
    await create('Solar panels')
    await story.getByText('Solar panels').waitFor()
    await create('Solar panels')
    await alert('already has a project with this name')

    await visit('Signed Out')
    await alert('session')
    expect(await projects()).toEqual([])

    await visit('Demo')
    await story.getByText('Mobile app').waitFor()
    expect(await projects()).toHaveLength(4)
    await create('Solar panels')
    await story.getByText('Solar panels').waitFor()
    expect(await projects()).toHaveLength(5)
  })

  it('ends the scenario and the persona of the story before', async () => {
    await visit('Name Taken')
    await story.getByText('Mobile app').waitFor()
    await create('Solar panels')
    await alert('already has a project with this name')

    await visit('Viewer')
    await story.getByText('Mobile app').waitFor()
    await create('Solar panels')
    await alert('permission')

    await visit('Empty')
    await story.getByText('Mobile app').waitFor({ state: 'detached' })
    expect(await projects()).toEqual([])
    await visit('Demo')
    await story.getByText('Mobile app').waitFor()
    await create('Solar panels')
    await story.getByText('Solar panels').waitFor()
  })

  it('answers with the custom handlers of a story, beside those of the mock, in that story only', async () => {
    await visit('With Invoices')
    await story.getByText('Open invoices: 2').waitFor()
    await story.getByText('Mobile app').waitFor()

    await visit('Shadowed')
    await story.getByText('Open invoices').waitFor({ state: 'detached' })
    await story.getByText('Mobile app').waitFor({ state: 'detached' })
    expect(await projects()).toEqual([])

    await visit('Demo')
    await story.getByText('Mobile app').waitFor()
    expect(await story.getByText('Open invoices').count()).toBe(0)
  })
})
