// The visible rows of a long list. All rows are equally high.

/** Rows beyond each edge, so that scrolling shows no gap. */
const extra = 8

/**
 * @param scroller the element that scrolls
 * @param body the element of the rows, inside of it
 * @param count returns the number of all rows
 * @param rowAt creates the row at an index
 * @param isPaused whether the rows stay as they are, for one of them is being edited
 */
export function windowedRows({ scroller, body, count, rowAt, isPaused = () => false }) {
  let height = 32
  let isScheduled = false
  const top = () => body.offsetTop - scroller.offsetTop

  function show() {
    isScheduled = false
    if (isPaused()) return
    const total = count()
    const from = scroller.scrollTop - top()
    const visible = Math.ceil(scroller.clientHeight / height)
    const first = Math.max(0, Math.min(total - visible, Math.floor(from / height)) - extra)
    const last = Math.min(total, first + visible + 2 * extra)
    const rows = []
    for (let i = first; i < last; i++) rows.push(rowAt(i))
    // Rows that are still the same element stay in place: one of them may be about to be clicked.
    const kept = new Set(rows)
    for (const row of [...body.children]) if (!kept.has(row)) row.remove()
    for (const [i, row] of rows.entries())
      if (body.children[i] !== row) body.insertBefore(row, body.children[i] ?? null)
    body.style.paddingTop = `${first * height}px`
    body.style.paddingBottom = `${(total - last) * height}px`
    const measured = rows[0]?.getBoundingClientRect().height
    if (measured && Math.abs(measured - height) > 0.1) {
      height = measured
      show()
    }
  }
  function showSoon() {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(show)
  }
  scroller.addEventListener('scroll', showSoon, { passive: true })
  new ResizeObserver(showSoon).observe(scroller)

  return {
    show: showSoon,
    showNow: show,
    height: () => height,
    /** How many rows fit. */
    page: () => Math.max(1, Math.floor(scroller.clientHeight / height) - 1),
    /** Scrolls as little as is needed to show the row at an index. */
    reveal(index) {
      const start = index * height
      const end = start + height + top()
      if (start < scroller.scrollTop) scroller.scrollTop = start
      else if (end > scroller.scrollTop + scroller.clientHeight)
        scroller.scrollTop = end - scroller.clientHeight
      show()
    },
  }
}

/** The index that a key of a list leads to, or undefined. */
export function indexAfterKey(key, index, count, page) {
  const moves = { ArrowUp: index - 1, ArrowDown: index + 1, PageUp: index - page, PageDown: index + page }
  const target = key === 'Home' ? 0 : key === 'End' ? count - 1 : moves[key]
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target))
}
