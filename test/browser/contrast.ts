import type { Page } from 'playwright-core'

/** The texts whose contrast with what is behind them is below 4.5 to 1 (WCAG AA), with their ratio. */
export const faintTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
    const isOpaque = (color: string) => (channels(color)[3] ?? 1) === 1

    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const behind = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return isOpaque(backgroundColor) ? backgroundColor : behind(element.parentElement)
    }
    const contrast = (element: Element) => {
      const [light = 0, dark = 0] = [getComputedStyle(element).color, behind(element)]
        .map(luminance)
        .sort((a, b) => b - a)
      return (light + 0.05) / (dark + 0.05)
    }

    const texts = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        // WCAG asks nothing of controls that are disabled; how options look is the browser's.
        !element.closest(':disabled, option') &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    )
    return texts
      .filter((element) => contrast(element) < 4.5)
      .map((element) => `${element.textContent}: ${contrast(element).toFixed(2)}`)
  })

/** Whether a reader has to scroll sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
