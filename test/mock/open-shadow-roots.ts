import type { BrowserContext, Page } from 'playwright-core'

/** Opens the closed shadow roots of a page, so that a test can read them. Call it before the page is loaded. */
export const openShadowRoots = (page: Page | BrowserContext): Promise<unknown> =>
  page.addInitScript(() => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (options) {
      return attachShadow.call(this, { ...options, mode: 'open' })
    }
  })
