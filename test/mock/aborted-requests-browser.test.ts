import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../../src/mock/http/dev-server.js'
import { parseState } from '../../src/store/state-file.js'
import { setUpMockSite } from './browser-harness.js'

const browser = setUpMockSite()

/** Renders a component under StrictMode, whose effect requests the session. React aborts the first request of it. */
const render = (base = '') =>
  browser.page.evaluate(async (address) => {
    const { createElement, createRoot, StrictMode, useEffect, useState } = await globalThis.loadReact()
    const root = document.body.appendChild(document.createElement('main'))
    const Me = () => {
      const [text, setText] = useState('')
      useEffect(() => {
        const controller = new AbortController()
        fetch(`${address}/v1/auth/me`, { signal: controller.signal, credentials: 'include' })
          .then((response) => setText(String(response.status)))
          .catch((error) => error.name === 'AbortError' || setText(error.name))
        return () => controller.abort()
      }, [])
      return createElement('output', undefined, text)
    }
    createRoot(root).render(createElement(StrictMode, undefined, createElement(Me)))
    while (!root.textContent) await new Promise(requestAnimationFrame)
    return root.textContent
  }, base)

describe("under React's StrictMode, an outcome with times: 1", () => {
  it('is used by the request that the page keeps', async () => {
    browser.site.options = { session: 'acme-owner' }
    await browser.open()
    await browser.page.evaluate(() =>
      globalThis.mock.scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 }),
    )
    expect(await render()).toBe('503')
    const log = await browser.page.evaluate(() => globalThis.mock.log.read())
    // The aborted one is known by the arrival of the other, and may be logged after it.
    const [aborted, kept] = log.toSorted((a, b) => a.status - b.status)
    expect(log).toHaveLength(2)
    expect(aborted).toMatchObject({ status: 0, aborted: true, why: 'the client gave up' })
    expect(kept).toMatchObject({
      status: 503,
      why: expect.stringMatching(/SERVICE_UNAVAILABLE, next request/),
    })
    expect(kept?.aborted).toBeUndefined()
    expect(await render()).toBe('200')
    // The use is a step.
    await browser.page.evaluate(() => globalThis.mock.undo())
    expect(await browser.page.evaluate(() => globalThis.mock.scenarios.list())).toMatchObject([{ times: 1 }])
  })

  it('is used by the request that the page keeps each time, though no body is read', async () => {
    browser.site.options = { session: 'acme-owner' }
    await browser.open()
    for (const time of [1, 2, 3]) {
      await browser.page.evaluate(() =>
        globalThis.mock.scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 }),
      )
      expect(await render(), `time ${time}`).toBe('503')
      expect(await browser.page.evaluate(() => globalThis.mock.scenarios.list())).toEqual([])
    }
  })

  it('is used by the request that the page keeps, over HTTP', async () => {
    const server = await startDevServer({ fixtures: parseState(demo), port: 0, session: 'acme-owner' })
    onTestFinished(() => server.close())
    const { scenarios, log } = server.mock.controls
    await browser.open()
    await browser.page.evaluate(() => globalThis.mock.stop())
    for (const [aborted] of [[1], [2], [3]]) {
      await scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 })
      expect(await render(server.url), `time ${aborted}`).toBe('503')
      expect(await scenarios.list()).toEqual([])
      expect((await log.read()).filter((entry) => entry.status === 503)).toHaveLength(aborted as number)
    }
  })

  it('is not given back by an abort after the response was read', async () => {
    await browser.open()
    const statuses = await browser.page.evaluate(async () => {
      await globalThis.mock.scenarios.set({ target: 'listProjects', outcome: 503, times: 1 } as never)
      const send = async () => {
        const controller = new AbortController()
        const response = await fetch('/v1/projects', { signal: controller.signal })
        await response.text()
        controller.abort()
        return response.status
      }
      return [await send(), await send()]
    })
    expect(statuses).toEqual([503, 401])
    expect(
      (await browser.page.evaluate(() => globalThis.mock.log.read())).map((entry) => entry.aborted),
    ).toEqual([undefined, undefined])
  })

  it('ends a delay and a hang for a request of the page that is aborted', async () => {
    await browser.open()
    await browser.page.evaluate(async () => {
      await globalThis.mock.delay.set(20_000)
      await globalThis.mock.scenarios.set({ target: 'listProjects', outcome: 503, times: 1 } as never)
      const controller = new AbortController()
      const sent = fetch('/v1/projects', { signal: controller.signal }).catch(() => {})
      setTimeout(() => controller.abort(), 50)
      await sent
      while ((await globalThis.mock.log.read()).length === 0) await new Promise(requestAnimationFrame)
    })
    const log = await browser.page.evaluate(() => globalThis.mock.log.read())
    expect(log).toMatchObject([{ aborted: true, status: 0 }])
    const list = await browser.page.evaluate(() => globalThis.mock.scenarios.list())
    expect(list).toMatchObject([{ times: 1, aborted: 1 }])
  })
})

it('marks a response that its client did not wait for, and gives the outcome back', async () => {
  const server = await startDevServer({ fixtures: parseState(demo), port: 0, session: 'acme-owner' })
  onTestFinished(() => server.close())
  const { scenarios, log, history } = server.mock.controls
  // Longer than the buffers of a connection, so that the response cannot end without its reader.
  const text = 'x'.repeat(64 * 1024 * 1024)
  await scenarios.set({ target: 'GET /large', response: { text }, times: 1 })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((received) => socket.once('data', received))
  socket.destroy()
  await expect.poll(() => scenarios.list()).toMatchObject([{ times: 1, aborted: 1 }])
  expect(await log.read()).toMatchObject([{ status: 200, aborted: true }])
  expect((await history()).undo?.title).toBe(`a custom 200 was forced on GET /large (next request)`)
  expect((await (await fetch(`${server.url}/large`)).text()).length).toBe(text.length)
  expect(await scenarios.list()).toEqual([])
})

it('waits for the news of an aborted request while the machine is busy', async () => {
  const server = await startDevServer({ fixtures: parseState(demo), port: 0, session: 'acme-owner' })
  onTestFinished(() => server.close())
  const { scenarios, log } = server.mock.controls
  await scenarios.set({ target: 'getSession', outcome: 'SERVICE_UNAVAILABLE', times: 1 })
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
  }
  const arrived = new Promise((resolve) => {
    subscribe('http.server.request.start', resolve)
    onTestFinished(() => void unsubscribe('http.server.request.start', resolve))
  })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('GET /v1/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await arrived
  await turns(5)
  // The machine gives this process no time, nor the browser.
  const resumesAt = performance.now() + 200
  while (performance.now() < resumesAt);
  await turns(5)
  socket.destroy()
  await expect.poll(() => log.read()).toMatchObject([{ aborted: true, why: 'the client gave up' }])
  expect((await fetch(`${server.url}/v1/auth/me`)).status).toBe(503)
  expect(await scenarios.list()).toEqual([])
})
