import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { setUpMockSite } from './browser-harness.js'

// Events that end the worker of MSW 2 for an open page. Requests would go to the site, which answers with its page.

const browser = setUpMockSite()

async function open() {
  browser.site.options = { session: 'acme-owner' }
  browser.site.fallsBack = true
  const said: string[] = []
  browser.page.on('console', (message) => said.push(message.text()))
  expect(await browser.open()).toBe('')
  expect(await browser.me()).toBe('ada@acme.example')
  return said
}

/** Clicks a link in the page, as users do. */
const follow = (href: string) =>
  browser.page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
  }, href)

const mails = () =>
  browser.page.evaluate(async () => (await fetch('/v1/auth/me')).headers.get('content-type'))

describe('the mock in a page answers again', () => {
  it('after the browser has stopped its worker, and names the requests that were lost', async () => {
    const said = await open()
    const devtools = await browser.page.context().newCDPSession(browser.page)
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.stopAllWorkers')
    expect(await mails()).toContain('text/html')
    await expect.poll(mails).toContain('application/json')
    await expect
      .poll(() => said.join('\n'))
      .toMatch(/was started again, and answers\. Requests .*: \/v1\/auth\/me\./)
    // The mock kept its state.
    expect(await browser.me()).toBe('ada@acme.example')
  })

  it('after the browser has stopped its worker, when the page is shown again', async () => {
    const said = await open()
    const devtools = await browser.page.context().newCDPSession(browser.page)
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.stopAllWorkers')
    await browser.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => said.join('\n')).toContain('was started again, and answers.')
    expect(await browser.me()).toBe('ada@acme.example')
    expect(browser.site.reached).toEqual([])
  })

  it.each(['mailto:ada@acme.example', 'team-dashboard://open'])('after a link to %s', async (href) => {
    const said = await open()
    await follow(href)
    await expect.poll(() => said.join('\n')).toContain('was started again, and answers.')
    expect(await browser.me()).toBe('ada@acme.example')
    expect(browser.site.reached).toEqual([])
  })

  it('after a navigation with the response 204', async () => {
    const said = await open()
    const other = createServer((_, response) => response.writeHead(204).end())
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void other.close())
    await follow(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    await expect.poll(() => said.join('\n')).toContain('was started again, and answers.')
    expect(await browser.me()).toBe('ada@acme.example')
  })

  it('after the user has stayed on the page', async () => {
    const said = await open()
    browser.page.on('dialog', (dialog) => dialog.dismiss())
    await browser.page.getByRole('heading').click()
    await browser.page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
    await follow('/elsewhere/')
    await expect.poll(() => said.join('\n')).toContain('was started again, and answers.')
    expect(await browser.me()).toBe('ada@acme.example')
  })

  it('or says that it cannot', async () => {
    const said = await open()
    await browser.page.evaluate(() => {
      // As in a page whose storage the browser has meanwhile blocked.
      const refuse = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'))
      Object.assign(navigator.serviceWorker, { getRegistrations: refuse, register: refuse })
    })
    await follow('mailto:ada@acme.example')
    await expect
      .poll(() => said.join('\n'))
      .toMatch(
        /The mock no longer answers: its worker cannot be started again \(.*insecure.*\)\. Reload the page\./,
      )
  })
})

it('a watched worker of the user answers again, even after its handlers were reset', async () => {
  const said = await open()
  await browser.page.evaluate(async () => {
    mock.stop()
    const { createMock, setupWorker, watchWorker } = app
    const worker = setupWorker(...createMock().handlers)
    const start = () => worker.start({ quiet: true })
    await start()
    watchWorker(worker, start)
    worker.resetHandlers()
  })
  const devtools = await browser.page.context().newCDPSession(browser.page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  expect(await mails()).toContain('text/html')
  await expect.poll(mails).toContain('application/json')
  await expect
    .poll(() => said.join('\n'))
    .toMatch(/was started again, and answers\. Requests .*: \/v1\/auth\/me\./)
  expect(said.join('\n')).not.toContain('intercepted a request without a matching')
})

it('a worker whose start brings no requests is not said to have failed to start', async () => {
  const said = await open()
  await browser.page.evaluate(async () => {
    mock.stop()
    const { createMock, setupWorker, watchWorker } = app
    const worker = setupWorker(...createMock().handlers)
    await worker.start({ quiet: true })
    watchWorker(worker, async () => {})
  })
  await follow('mailto:ada@acme.example')
  await expect
    .poll(() => said.join('\n'))
    .toContain('its worker was started again, and still gets no request of the page. Reload the page.')
})

it('a worker that its user stops stays stopped', async () => {
  const said = await open()
  await browser.page.evaluate(async () => {
    mock.stop()
    const { createMock, setupWorker, watchWorker } = app
    const worker = setupWorker(...createMock().handlers)
    const start = () => worker.start({ quiet: true })
    await start()
    watchWorker(worker, start)
    worker.stop()
  })
  for (let i = 0; i < 5; i += 1) expect(await mails()).toContain('text/html')
  await browser.page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    return new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect(await mails()).toContain('text/html')
  expect(said.join('\n')).not.toContain('started again')
})

it('a page whose worker answers is not disturbed', async () => {
  const said = await open()
  await browser.page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    return new Promise((resolve) => setTimeout(resolve, 1000))
  })
  expect(await browser.me()).toBe('ada@acme.example')
  expect(said).toEqual([])
  expect(browser.site.reached).toEqual([])
  const log = await browser.page.evaluate(() => globalThis.mock.log.read())
  expect(new Set(log.map(({ path }) => path))).toEqual(new Set(['/v1/auth/me']))
})
