import type { Page } from 'playwright-core'

/** Returns the texts whose contrast with their background is below 4.5 to 1 (WCAG AA), with the ratio. */
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
    const backgroundOf = (element: Element | null): string => {
      if (!element) return 'rgb(255, 255, 255)'
      const { backgroundColor } = getComputedStyle(element)
      return isOpaque(backgroundColor) ? backgroundColor : backgroundOf(element.parentElement)
    }
    const contrast = (element: Element) => {
      const [light = 0, dark = 0] = [getComputedStyle(element).color, backgroundOf(element)]
        .map(luminance)
        .sort((a, b) => b - a)
      return (light + 0.05) / (dark + 0.05)
    }

    const elements = [...document.body.querySelectorAll('*')].flatMap((element) => [
      element,
      ...(element.shadowRoot?.querySelectorAll('*') ?? []),
    ])
    const texts = elements.filter(
      (element) =>
        // WCAG exempts disabled controls; the browser styles options.
        !element.closest(':disabled, option') &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()),
    )
    return texts
      .filter((element) => contrast(element) < 4.5)
      .map((element) => `${element.textContent}: ${contrast(element).toFixed(2)}`)
  })

/** Whether the page scrolls horizontally. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
