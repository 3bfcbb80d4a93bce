import type { Size } from '../live.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { PageRow } from './page-row.js'
import { isPage, type PageScreen, pageRows } from './page-rows.js'
import type { Screen } from './screens.js'

const footerHeight = 3

/** On a lower terminal only the log shows the header; the other screens need its lines. */
const minHeightForHeader = 20

/** Which parts a screen has, and the height of the part between header and footer, in lines. */
export function layoutOf(screen: Screen, { fixtureError }: MockSnapshot, { height }: Size) {
  const hasHeader = screen.type === 'log' || height >= minHeightForHeader
  const headerHeight = hasHeader ? (fixtureError ? 6 : 5) : 0
  return { hasHeader, bodyHeight: Math.max(1, height - headerHeight - footerHeight) }
}

/** A page of text, as far as it has been scrolled. */
export type PageView = { rows: PageRow[]; first: number; lastFirst: number; height: number }

/** The rows of a page, and which of them are visible. */
export function pageView(screen: PageScreen, mock: MockSnapshot, size: Size): PageView {
  const rows = pageRows(screen, mock, size.width)
  const { bodyHeight: height } = layoutOf(screen, mock, size)
  const lastFirst = Math.max(0, rows.length - height)
  // After a resize the page may be shorter than it was.
  return { rows, first: Math.min(screen.first ?? 0, lastFirst), lastFirst, height }
}

/** E.g. `1-9 of 14`; undefined if the whole page is visible, or the screen is not a page. */
export function scrollPosition(screen: Screen, mock: MockSnapshot, size: Size): string | undefined {
  if (!isPage(screen)) return undefined
  const { rows, first, lastFirst, height } = pageView(screen, mock, size)
  return lastFirst === 0 ? undefined : `${first + 1}-${first + height} of ${rows.length}`
}
