// The visible rows of a long list. All rows are equally high.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows beyond each edge, so that scrolling shows no gap. */
const extra = 8

export type RowsHandle = {
  /** Scrolls as little as is needed to show the row at an index. */
  reveal(index: number): void
  /** How many rows fit. */
  page(): number
  toTop(): void
  /** Keeps a row where it is in view, when it is next drawn with another index. */
  keep(before: number, after: number): void
  /** The index of the first row in view. */
  first(): number
  /** Scrolls while a pointer is near an edge. */
  scrollNear(clientY: number): void
  /** The index of the row at a height of the window. */
  indexAt(clientY: number): number
}

type Props = {
  count: number
  /** The height of a row in px; of a narrow list, the second one. */
  heights: [wide: number, narrow: number]
  /** The width in px below which the list is narrow. Its styles have the same number. */
  narrowWidth?: number
  /** Whether a row has the first height in a narrow list, too. */
  isLow?(index: number): boolean
  /** The height of the part above the rows that stays in sight. */
  top?: number
  rowAt(index: number, top: number): ComponentChildren
  handle: { current: RowsHandle | undefined }
  wrap(rows: ComponentChildren, topOf: (index: number) => number): ComponentChildren
  children?: ComponentChildren
}

export function Rows({
  count,
  heights: [wide, narrow],
  narrowWidth = 480,
  isLow,
  top = 0,
  rowAt,
  handle,
  wrap,
  children,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const visible = useRef({ from: 0, size: 600, isNarrow: false })
  const [, redraw] = useState(0)
  const kept = useRef<{ index: number; offset: number } | undefined>(undefined)
  const { size, isNarrow } = visible.current
  const height = isNarrow ? narrow : wide
  // Only a narrow list has rows of two heights.
  const tops = isNarrow && isLow ? topsOf(count, (i) => (isLow(i) ? wide : narrow)) : undefined
  const topOf = (index: number) => tops?.[Math.min(index, count)] ?? index * height
  const indexOf = (y: number) => (tops ? indexBefore(tops, y) : Math.floor(y / height))
  const keptTop = kept.current && topOf(kept.current.index) + kept.current.offset
  // The rows that it is about to scroll to.
  if (keptTop !== undefined) visible.current.from = indexOf(keptTop)
  const { from } = visible.current
  const measure = () => {
    const { current } = scroller
    if (!current) return
    // Whole rows alone: scrolling within one draws nothing.
    const now = {
      from: indexOf(current.scrollTop),
      size: current.clientHeight,
      isNarrow: current.clientWidth < narrowWidth,
    }
    const old = visible.current
    if (now.from === old.from && now.size === old.size && now.isNarrow === old.isNarrow) return
    visible.current = now
    redraw((times) => times + 1)
  }
  const latest = useRef(measure)
  latest.current = measure
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return undefined
    const observer = new ResizeObserver(() => latest.current())
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { current } = scroller
    if (keptTop === undefined || !current) return
    current.scrollTop = keptTop
    kept.current = undefined
    // Draws the rows there before the next frame.
    measure()
  })
  /** The place that is in view, or will be when what is kept is drawn. */
  const place = () =>
    kept.current ? topOf(kept.current.index) + kept.current.offset : (scroller.current?.scrollTop ?? 0)
  handle.current = {
    page: () => Math.max(1, Math.floor(size / height) - 1),
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0
    },
    first: () => indexOf(place()),
    scrollNear(clientY) {
      const { current } = scroller
      if (!current) return
      const box = current.getBoundingClientRect()
      if (clientY > box.bottom - nearEdge) current.scrollTop += 8
      else if (clientY < box.top + nearEdge) current.scrollTop -= 8
    },
    keep(before, after) {
      if (place() > 0) kept.current = { index: after, offset: place() - topOf(before) }
    },
    reveal(index) {
      const { current } = scroller
      if (!current) return
      const start = topOf(index)
      const end = topOf(index + 1) + top
      if (start < current.scrollTop) current.scrollTop = start
      else if (end > current.scrollTop + current.clientHeight) current.scrollTop = end - current.clientHeight
      measure()
    },
    indexAt(clientY) {
      const { current } = scroller
      if (!current) return 0
      return indexOf(clientY - current.getBoundingClientRect().top - top + current.scrollTop)
    },
  }
  const shown = Math.ceil(size / wide)
  const first = Math.max(0, Math.min(count - shown, from) - extra)
  const last = Math.min(count, first + shown + 2 * extra)
  const rows: ComponentChildren[] = []
  for (let i = first; i < last; i++) rows.push(rowAt(i, topOf(i)))
  return (
    <div ref={scroller} class="scroller" onScroll={measure}>
      {wrap(rows, topOf)}
      {children}
    </div>
  )
}

/** The distance of an edge in px within which a list scrolls by itself. */
const nearEdge = 40

/** The places of rows of different heights, and the end of the last one. */
function topsOf(count: number, heightOf: (index: number) => number): number[] {
  const tops = [0]
  for (let i = 0; i < count; i++) tops.push((tops[i] ?? 0) + heightOf(i))
  return tops
}

/** The index of the row at a place. */
function indexBefore(tops: readonly number[], y: number): number {
  let [low, high] = [0, tops.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** The index that a key of a list leads to, or undefined. */
export function indexAfterKey(key: string, index: number, count: number, page: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowUp: index - 1,
    ArrowDown: index + 1,
    PageUp: index - page,
    PageDown: index + page,
    Home: 0,
    End: count - 1,
  }
  const target = moves[key]
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target))
}
