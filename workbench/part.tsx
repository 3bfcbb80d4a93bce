import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type PartProps = { title: string; more?: ComponentChildren; children: ComponentChildren }

/** A part of the details with its title, and what is beside it. */
export function Part({ title, more, children }: PartProps) {
  const id = useId()
  return (
    <section class="part" aria-labelledby={id}>
      <div class="bar">
        <h3 id={id}>{title}</h3>
        {more}
      </div>
      {children}
    </section>
  )
}
