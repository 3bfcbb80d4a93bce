import type { Page } from 'playwright-core'
import type { Persona } from '../../src/verify/cases/case.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'
import { startRelay } from './relay.js'
import { serveExample } from './serve-example.js'

/** The example, served and connected to something that answers it. */
export type RunningExample = {
  url: string
  /** Whether the answers come from the worker in the page. */
  inPage: boolean
  /** Whether sign-in is the mock's, and the session bundle says so. */
  isMock: boolean
  /** Opens the dashboard as a persona. */
  signIn(page: Page, persona: Persona): Promise<void>
  /** Brings back the demo fixture. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** The mock as a worker in the page, with its choice of personas from Vite's plugin. */
export async function overWorker(): Promise<RunningExample> {
  return {
    ...(await serveExample()),
    inPage: true,
    isMock: true,
    signIn: choosePersona,
    // The state is the browser context's own, and each test has a new one.
    reset: async () => {},
  }
}

/** `dashboard-api dev`, through Vite's proxy. */
export async function overDevServer(): Promise<RunningExample> {
  const api = await startDevServer()
  const example = await serveExample(api.baseUrl)
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

/** `dashboard-api serve`, through Vite's proxy. */
export async function overProduction(): Promise<RunningExample> {
  const api = await startProduction()
  // A reset moves production to another port; the example knows one address.
  const relay = await startRelay(() => api.baseUrl)
  const example = await serveExample(relay.url)
  return {
    url: example.url,
    inPage: false,
    isMock: false,
    // Signing in happens at an identity provider, and there is none here: the session is issued beforehand,
    // as an operator would, and its cookie put into the browser.
    async signIn(page, persona) {
      const value = api.cookieOf(persona).replace(/^session=/, '')
      await page.context().addCookies([{ name: 'session', value, url: example.url, httpOnly: true }])
      await page.goto('/')
    },
    reset: api.reset,
    async close() {
      await example.close()
      await relay.close()
      await api.close()
    },
  }
}

/** The mock's sign-in, as a person does it. */
async function choosePersona(page: Page, persona: Persona): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign in to your team' }).click()
  await page.getByRole('button', { name: new RegExp(`^${persona}`) }).click()
}
