// Two parts beside each other, with an edge that can be dragged. In a narrow window the second is below the first.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

const key = 'workbench-split'
const initial = 53

function read(): number {
  try {
    return Number(localStorage.getItem(key)) || initial
  } catch {
    return initial
  }
}
const size = signal(read())

function set(percent: number): void {
  size.value = Math.round(Math.max(25, Math.min(75, percent)) * 10) / 10
  try {
    localStorage.setItem(key, String(size.value))
  } catch {
    // A page that is docked to one without storage has the initial size each time.
  }
}

type Props = { first: ComponentChildren; second: ComponentChildren }

export function Split({ first, second }: Props) {
  const element = useRef<HTMLDivElement>(null)
  return (
    <div ref={element} class="split" style={{ '--size': `${size.value}%` }}>
      <div class="list">{first}</div>
      <div
        role="separator"
        class="edge"
        tabIndex={0}
        aria-label="Width of the list"
        aria-orientation="vertical"
        aria-valuenow={Math.round(size.value)}
        aria-valuemin={25}
        aria-valuemax={75}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={({ currentTarget, pointerId, clientX }) => {
          const box = element.current?.getBoundingClientRect()
          if (box && currentTarget.hasPointerCapture(pointerId)) set(((clientX - box.left) / box.width) * 100)
        }}
        onDblClick={() => set(initial)}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft') set(size.value - 2)
          if (key === 'ArrowRight') set(size.value + 2)
        }}
      />
      {second}
    </div>
  )
}
