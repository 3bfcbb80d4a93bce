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
  /** Keeps the rows in view in place when rows are added above. */
  keep(added: number): void
  /** The index of the row at a height of the window. */
  indexAt(clientY: number): number
}

type Props = {
  count: number
  /** The height of a row in px; of a narrow list, the second one. */
  heights: [wide: number, narrow: number]
  /** The height of the part above the rows that stays in sight. */
  top?: number
  rowAt(index: number, top: number): ComponentChildren
  handle: { current: RowsHandle | undefined }
  before?: ComponentChildren
  wrap(rows: ComponentChildren, height: number): ComponentChildren
  children?: ComponentChildren
}

export function Rows({ count, heights, top = 0, rowAt, handle, before, wrap, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [[from, size, isNarrow], setVisible] = useState<[number, number, boolean]>([0, 600, false])
  const height = heights[isNarrow ? 1 : 0]
  const measure = () => {
    const { current } = scroller
    if (!current) return
    // Whole rows alone: scrolling within one draws nothing.
    const narrow = current.clientWidth < 480
    const next = Math.floor(current.scrollTop / heights[narrow ? 1 : 0])
    setVisible((old) =>
      old[0] === next && old[1] === current.clientHeight && old[2] === narrow
        ? old
        : [next, current.clientHeight, narrow],
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the element alone
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  handle.current = {
    page: () => Math.max(1, Math.floor(size / height) - 1),
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0
    },
    keep(added) {
      const { current } = scroller
      if (current && current.scrollTop > 0) current.scrollTop += added * height
    },
    reveal(index) {
      const { current } = scroller
      if (!current) return
      const start = index * height
      if (start < current.scrollTop) current.scrollTop = start
      else if (start + height + top > current.scrollTop + current.clientHeight)
        current.scrollTop = start + height + top - current.clientHeight
      measure()
    },
    indexAt(clientY) {
      const { current } = scroller
      if (!current) return 0
      return Math.floor((clientY - current.getBoundingClientRect().top - top + current.scrollTop) / height)
    },
  }
  const visible = Math.ceil(size / height)
  const first = Math.max(0, Math.min(count - visible, from) - extra)
  const last = Math.min(count, first + visible + 2 * extra)
  const rows: ComponentChildren[] = []
  for (let i = first; i < last; i++) rows.push(rowAt(i, i * height))
  return (
    <div ref={scroller} class="scroller" onScroll={measure}>
      {before}
      {wrap(rows, count * height)}
      {children}
    </div>
  )
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
