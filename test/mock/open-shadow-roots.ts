import type { BrowserContext, Page } from 'playwright-core'

/** Makes the closed shadow roots of a page open, for a test of what is in them. Called before the page is loaded. */
export const openShadowRoots = (page: Page | BrowserContext): Promise<unknown> =>
  page.addInitScript(() => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (options) {
      return attachShadow.call(this, { ...options, mode: 'open' })
    }
  })
