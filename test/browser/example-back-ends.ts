import type { Page } from 'playwright-core'
import { startDevServer, type Who } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'
import { serveBuiltExample, serveExample } from './serve-example.js'

/** A back end of the example. */
export type RunningExample = {
  url: string
  /** Whether a worker in the page answers. */
  inPage: boolean
  /** Whether the mock signs in, with `devMode` in the session bundle. */
  isMock: boolean
  /** Opens the dashboard as a persona. */
  signIn(page: Page, persona: Who): Promise<void>
  /** Restores the demo fixture. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Runs the mock as a worker in the page. Vite's plugin serves the sign-in page. */
export async function overWorker(): Promise<RunningExample> {
  return {
    ...(await serveExample()),
    inPage: true,
    isMock: true,
    signIn: choosePersona,
    // Each test has a new browser context, and with it a new state.
    reset: async () => {},
  }
}

/** Runs `dashboard-api dev` behind Vite's proxy. */
export async function overDevServer(): Promise<RunningExample> {
  const api = await startDevServer()
  const example = await serveBuiltExample(api.baseUrl)
  return {
    url: example.url,
    inPage: false,
    isMock: true,
    signIn: choosePersona,
    reset: api.reset,
    async close() {
      await example.close()
      await api.close()
    },
  }
}

/** Runs `dashboard-api serve` behind Vite's proxy. */
export async function overProduction(): Promise<RunningExample> {
  const api = await startProduction()
  const example = await serveBuiltExample(api.baseUrl)
  return {
    url: example.url,
    inPage: false,
    isMock: false,
    // Without an identity provider, the test issues the session in the store and sets its cookie.
    async signIn(page, persona) {
      const value = api.cookieOf(persona).replace(/^session=/, '')
      await page.context().addCookies([{ name: 'session', value, url: example.url, httpOnly: true }])
      await page.goto('/')
    },
    reset: api.reset,
    async close() {
      await example.close()
      await api.close()
    },
  }
}

/** Signs in on the mock's sign-in page. */
async function choosePersona(page: Page, persona: Who): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in to your team' }).click()
  await page.getByRole('button', { name: new RegExp(`^${persona}`) }).click()
}
