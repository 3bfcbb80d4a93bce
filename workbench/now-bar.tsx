// The bar "Now". It is beside the rows that are drawn, so that it stays in the document wherever the list is scrolled to.

import { barAt, items, requestsAbove } from './items.js'
import { cancelMove, letGo, momentText, moveTo, position, preview, reach } from './moment.js'
import type { RowsHandle } from './rows.js'
import { indexAfterKey } from './rows.js'
import { entries } from './store.js'

/** Where the pointer is that drags the bar, and where it began. A click moves nothing. */
let pointerY: number | undefined
let startY: number | undefined

/** @param top the place of the bar among the rows, in px */
export function NowBar({ handle, top }: { handle: { current: RowsHandle | undefined }; top: number }) {
  const count = entries.value?.length ?? 0
  const isMoving = preview.value !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    const page = handle.current?.page() ?? 10
    const next = indexAfterKey(event.key, barAt.value, items.value.length + 1, page)
    if (event.key === 'Enter') void letGo()
    else if (event.key === 'Escape') {
      pointerY = undefined
      cancelMove()
    } else if (next !== undefined) {
      moveByKey(next)
      handle.current?.reveal(barAt.value)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const update = () => {
    if (pointerY === undefined || !handle.current) return
    if (startY !== undefined && Math.abs(pointerY - startY) < 4) return
    startY = undefined
    const index = Math.max(0, Math.min(handle.current.indexAt(pointerY), items.value.length))
    const above = requestsAbove(index)
    if (preview.value !== undefined || above > 0) moveTo(above)
  }
  /** Follows the pointer while the list scrolls below it, too. */
  const follow = () => {
    if (pointerY === undefined) return
    if (startY === undefined) handle.current?.scrollNear(pointerY)
    update()
    requestAnimationFrame(follow)
  }
  const end = (act: () => unknown) => {
    if (pointerY === undefined) return
    update()
    pointerY = undefined
    void act()
  }
  return (
    <div role="row" class={isMoving ? 'now moving' : 'now'} style={{ marginTop: `${top}px` }}>
      <div role="gridcell">
        <div
          id="now"
          role="slider"
          tabIndex={0}
          aria-label="Now"
          aria-orientation="vertical"
          aria-valuemin={count - reach.value}
          aria-valuemax={count}
          aria-valuenow={count - position.value}
          aria-valuetext={momentText.value}
          title="Drag to go back. Arrows move it, Enter returns there."
          onKeyDown={onKeyDown}
          onBlur={({ relatedTarget }) => {
            const isButton = relatedTarget instanceof Element && relatedTarget.closest('#details')
            if (isMoving && pointerY === undefined && !isButton) cancelMove()
          }}
          onPointerDown={({ currentTarget, pointerId, clientY }) => {
            currentTarget.setPointerCapture(pointerId)
            currentTarget.focus()
            pointerY = clientY
            startY = clientY
            requestAnimationFrame(follow)
          }}
          onPointerMove={({ clientY }) => {
            if (pointerY === undefined) return
            pointerY = clientY
            update()
          }}
          onPointerUp={() => end(letGo)}
          onPointerCancel={() => end(cancelMove)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="m4.5 6 3.5-3.5L11.5 6M4.5 10 8 13.5 11.5 10" />
          </svg>
          Now
          <small>
            {isMoving
              ? momentText.value
              : count === 0
                ? 'nothing has happened yet'
                : reach.value === 0
                  ? 'nothing to go back to is stored'
                  : 'drag down to go back'}
          </small>
        </div>
      </div>
    </div>
  )
}

/** Moves the bar past the next request, or those of a fold: chapters and other changes are no moments. */
function moveByKey(index: number): void {
  const way = index > barAt.value ? 1 : -1
  let at = index
  const isMoment = () => {
    const above = items.value[at - 1]
    return above !== undefined && 'ids' in above
  }
  while (at > 0 && at < items.value.length && !isMoment()) at += way
  moveTo(at <= 0 ? 0 : requestsAbove(at))
}
