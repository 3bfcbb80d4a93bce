import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Who } from '../conformance/start-dev-server.js'
import type { RunningExample } from './example-back-ends.js'
import { launchBrowser } from './launch.js'
import { watch } from './watch.js'

export type Visitor = {
  page: Page
  /** Opens the dashboard as a persona. */
  signIn(persona: Who): Promise<void>
  isMock: boolean
}

/**
 * Declares a test with a new browser context. It fails on any unexpected problem of the page.
 * @param refused the expected error responses of the API, such as `409 POST /v1/projects`
 */
export type Visit = (title: string, refused: string[], act: (visitor: Visitor) => Promise<void>) => void

/** Starts one browser for the tests of a file. */
export function browserOfFile(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  return () => browser
}

// Each page requests the session; this is the response while signed out.
const signedOut = '401 GET /v1/auth/me'

/** Declares a suite for the example with one back end. */
export function describeExample(
  name: string,
  browser: () => Browser,
  start: () => Promise<RunningExample>,
  declare: (visit: Visit) => void,
): void {
  describe(name, () => {
    let example: RunningExample
    beforeAll(async () => {
      example = await start()
    })
    afterAll(() => example?.close())

    declare((title, refused, act) =>
      it(title, async () => {
        await example.reset()
        const context = await browser().newContext({ baseURL: example.url, locale: 'en-GB' })
        context.setDefaultTimeout(60_000)
        const page = await context.newPage()
        const { refusals, problems } = watch(page, example.inPage)
        try {
          await act({ page, isMock: example.isMock, signIn: (persona) => example.signIn(page, persona) })
          expect(problems).toEqual([])
          refusals.delete(signedOut)
          expect([...refusals].sort()).toEqual([...refused].sort())
        } finally {
          await context.close()
        }
      }),
    )
  })
}
