import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Persona } from '../../src/verify/cases/case.js'
import type { RunningExample } from './example-back-ends.js'
import { launchBrowser } from './launch.js'
import { watch } from './watch.js'

export type Visitor = {
  page: Page
  /** Opens the dashboard as a persona. */
  signIn(persona: Persona): Promise<void>
  isMock: boolean
}

/**
 * Declares a test in a browser context of its own, which fails on any trouble that the page meets.
 * @param refused the refusals of the API that it is about, e.g. `409 POST /v1/projects`
 */
export type Visit = (says: string, refused: string[], act: (visitor: Visitor) => Promise<void>) => void

/** One browser for the tests of a file. */
export function browserOfFile(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  return () => browser
}

// A page asks who it is; this is how it hears that it is nobody.
const nobody = '401 GET /v1/auth/me'

/** A suite over the example against one back end. */
export function describeExample(
  name: string,
  browser: () => Browser,
  start: () => Promise<RunningExample>,
  declare: (visit: Visit) => void,
): void {
  describe(name, { timeout: 60_000 }, () => {
    let example: RunningExample
    beforeAll(async () => {
      example = await start()
    })
    afterAll(() => example?.close())

    declare((says, refused, act) =>
      it(says, async () => {
        await example.reset()
        const context = await browser().newContext({ baseURL: example.url, locale: 'en-GB' })
        context.setDefaultTimeout(25_000)
        const page = await context.newPage()
        const { refusals, troubles } = watch(page, example.inPage)
        try {
          await act({ page, isMock: example.isMock, signIn: (persona) => example.signIn(page, persona) })
          expect(troubles).toEqual([])
          refusals.delete(nobody)
          expect([...refusals].sort()).toEqual([...refused].sort())
        } finally {
          await context.close()
        }
      }),
    )
  })
}
