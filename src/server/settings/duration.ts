const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Ten years. A longer time is a typing error, and its end would have a year of five digits. */
const maxMs = 3650 * 86_400_000

/** The form of durations, for messages. */
export const durationWords = 'a length of time such as 90s, 30m, 12h or 7d'

/**
 * Parses a duration: `90s`, `30m`, `12h`, `7d`.
 * @returns milliseconds; undefined for anything else, for zero, and for more than 3650 days
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = text.match(/^(\d+)([smhd])$/) ?? []
  const ms = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  return ms > 0 && ms <= maxMs ? ms : undefined
}

/** Formats a duration for `parseDuration`, in the largest unit without a remainder. */
export function formatDuration(ms: number): string {
  const [unit = 's', length = 1_000] = Object.entries(units).findLast(([, length]) => ms % length === 0) ?? []
  return `${ms / length}${unit}`
}
