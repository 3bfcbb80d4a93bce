import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Browser } from 'playwright-core'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launchBrowser } from '../../browser/launch.js'
import { withModules } from '../with-modules.js'
import { forms } from './handler-forms.js'
import { aliasOf, pathOf, writeForms } from './write-forms.js'

const worker = fileURLToPath(new URL('../../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url))

/** A page that loads the handlers that its query names. Its title is the body of the response, as JSON. */
const page = `<!doctype html>
<script type="module">
  import { setupWorker } from 'msw/browser'
  const { handlers } = await import(/* @vite-ignore */ location.search.slice(1))
  await setupWorker(...handlers).start({ quiet: true })
  document.title = await (await fetch('/form')).text()
</script>
`

describe("handlers in a page of Vite's, with", () => {
  let folder: string
  let browser: Browser
  let vite: ViteDevServer
  const logged: string[] = []

  beforeAll(async () => {
    folder = withModules(mkdtempSync(join(tmpdir(), 'dashboard-api-')))
    const root = join(folder, 'app')
    writeForms(root)
    writeFileSync(join(root, 'index.html'), page)
    mkdirSync(join(root, 'public'))
    copyFileSync(worker, join(root, 'public/mockServiceWorker.js'))
    const customLogger = createLogger('silent')
    customLogger.error = (message) => void logged.push(message)
    vite = await createServer({
      root,
      configFile: false,
      customLogger,
      resolve: { alias: { '#alias': aliasOf(root) }, tsconfigPaths: true },
      // Known before the first page, so that none is loaded again.
      optimizeDeps: {
        noDiscovery: true,
        include: ['msw', 'msw/browser', 'hidden', 'dual', 'esm-only', 'react/jsx-dev-runtime'],
      },
      server: { host: '127.0.0.1', port: 0 },
    })
    await vite.listen()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await vite?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(forms)('$name', async (form) => {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const thrown: string[] = []
    page.on('pageerror', ({ message, stack }) => thrown.push(message, stack ?? ''))
    const [url = ''] = vite.resolvedUrls?.local ?? []
    logged.length = 0
    await page.goto(`${url}?/${pathOf(form)}`)
    const outcome = async () => (await page.title()) || thrown.join('\n')
    await expect.poll(outcome).not.toBe('')
    const refused = form.refused?.page
    if (!refused) return expect(await outcome()).toBe(JSON.stringify(form.body))
    expect(thrown).not.toEqual([])
    // The browser says only that an import failed. Vite logs why.
    await expect.poll(() => stripVTControlCharacters([...thrown, ...logged].join('\n'))).toMatch(refused)
  })
})
