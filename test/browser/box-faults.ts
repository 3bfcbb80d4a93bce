import type { Frame, Page } from 'playwright-core'

/** Elements whose whole text has to be visible. */
const whole = [
  '#views a',
  '#who',
  '#command',
  '.head .tab',
  '.tense b',
  '.tense .link',
  '.log-row .time',
  '.log-row .method',
  '.log-row .outcome',
  '.log-row .duration',
  '.log-row .limit',
  '.chapter b',
  '.chapter .link',
  '#now',
  '.details h2 .outcome',
  '.toolbar button',
  '.toast span',
  '.toast button',
]

/** Elements whose children must not overlap. */
const lines = ['#top', '#top .end', '.head', '.tense', '.log-row', '.chapter span', '.toolbar', '.toast']

/**
 * Compares the boxes of the page: texts that are cut, elements that overlap, and those outside the window.
 * @returns a description of each fault
 */
export const boxFaults = (page: Page | Frame): Promise<string[]> =>
  page.evaluate(
    ({ whole, lines }) => {
      const faults: string[] = []
      const nameOf = (element: Element) =>
        `${element.tagName.toLowerCase()}${element.id && `#${element.id}`}.${[...element.classList].join('.')} "${element.textContent?.trim().slice(0, 40)}"`
      const isShown = (element: Element) => {
        const { width, height } = element.getBoundingClientRect()
        const { visibility, opacity, display } = getComputedStyle(element)
        return width > 2 && height > 2 && visibility !== 'hidden' && opacity !== '0' && display !== 'none'
      }
      /** Whether a list is scrolled so that the middle of the element is out of view, or would be. */
      const isScrolledAway = (element: Element) => {
        const { top, bottom } = element.getBoundingClientRect()
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
          if (!/auto|scroll/.test(getComputedStyle(parent).overflowY)) continue
          const box = parent.getBoundingClientRect()
          if (top < box.top - 1 || bottom > box.bottom + 1) return true
        }
        return false
      }
      for (const element of document.querySelectorAll(whole.join())) {
        if (!isShown(element) || isScrolledAway(element)) continue
        if (element.closest('.unseen') || getComputedStyle(element).clipPath !== 'none') continue
        const range = document.createRange()
        range.selectNodeContents(element)
        const text =
          element instanceof HTMLInputElement
            ? element.getBoundingClientRect()
            : range.getBoundingClientRect()
        if (text.width === 0) continue
        for (let parent: Element | null = element; parent; parent = parent.parentElement) {
          const box = parent.getBoundingClientRect()
          if (getComputedStyle(parent).overflowX === 'visible') continue
          if (text.left < box.left - 1 || text.right > box.right + 1) faults.push(`cut: ${nameOf(element)}`)
        }
        if (text.left < -1 || text.right > innerWidth + 1) faults.push(`outside: ${nameOf(element)}`)
      }
      for (const line of document.querySelectorAll(lines.join())) {
        const isLoose = (child: Element) =>
          /absolute|fixed/.test(getComputedStyle(child).position) || child.matches('.line, .cell-action')
        const children = [...line.children].filter((child) => isShown(child) && !isLoose(child))
        for (const [i, a] of children.entries())
          for (const b of children.slice(i + 1)) {
            const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
            const x = Math.min(p.right, q.right) - Math.max(p.left, q.left)
            const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)
            if (x > 1 && y > 1) faults.push(`overlap: ${nameOf(a)} and ${nameOf(b)}`)
          }
      }
      if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is too wide')
      return [...new Set(faults)]
    },
    { whole, lines },
  )
