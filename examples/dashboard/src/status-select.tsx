import { useState } from 'react'

type StatusSelectProps = {
  project: string
  status: string
  disabledBy: string | undefined
  onChange(status: string): Promise<void>
}

const usual = ['active', 'paused', 'completed', 'archived']

/** A status is any text; beside the usual ones, the project's own is offered. */
export function StatusSelect({ project, status, disabledBy, onChange }: StatusSelectProps) {
  const [wanted, setWanted] = useState<string>()
  const shown = wanted ?? status

  const choose = async (next: string) => {
    setWanted(next)
    await onChange(next)
    // Unless another was chosen meanwhile.
    setWanted((latest) => (latest === next ? undefined : latest))
  }

  return (
    <span className="status" data-status={shown}>
      <select
        aria-label={`Status of ${project}`}
        aria-describedby={disabledBy}
        aria-busy={wanted !== undefined}
        disabled={disabledBy !== undefined}
        value={shown}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {[...new Set([...usual, shown])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </span>
  )
}
