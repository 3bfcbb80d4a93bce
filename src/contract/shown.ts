/** The longest value in a message. */
const maxLength = 200

/** A value as a message shows it: as JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : jsonOf(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // It has a cycle, or a number without JSON.
    return String(value)
  }
}
