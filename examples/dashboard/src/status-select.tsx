import { useState } from 'react'

type StatusSelectProps = {
  project: string
  status: string
  disabledBy: string | undefined
  onChange(status: string): Promise<void>
}

const commonStatuses = ['active', 'paused', 'completed', 'archived']

/** A status can be any text: the options are the common ones and the project's current one. */
export function StatusSelect({ project, status, disabledBy, onChange }: StatusSelectProps) {
  const [pending, setPending] = useState<string>()
  const shown = pending ?? status

  const choose = async (next: string) => {
    setPending(next)
    await onChange(next)
    // Unless another status was selected meanwhile.
    setPending((latest) => (latest === next ? undefined : latest))
  }

  return (
    <span className="status" data-status={shown}>
      <select
        aria-label={`Status of ${project}`}
        aria-describedby={disabledBy}
        aria-busy={pending !== undefined}
        disabled={disabledBy !== undefined}
        value={shown}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {[...new Set([...commonStatuses, shown])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </span>
  )
}
