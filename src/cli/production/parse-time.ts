import type { OptionData } from '../define-command.js'
import { parser } from '../options.js'

const pattern = /^(\d{4}-\d\d-\d\d)[Tt ](([01]\d|2[0-3]):\d\d):(\d\d)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):\d\d)$/

/**
 * Parses a time in any form of RFC 3339: with any offset, any number of decimals, a small `t` or `z`, a space in place of
 * the `T`, and leap seconds.
 * @returns the time in UTC with milliseconds, as it is stored; undefined for any other text
 */
export function parseTime(text: string): string | undefined {
  const [, day, minute, , second, decimals = '', zone = ''] = pattern.exec(text) ?? []
  const [start, isLeap] = [Date.parse(`${day}T00:00Z`), second === '60']
  // A day such as February 30 would be one of March.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(`${day}`)) return undefined
  const seconds = isLeap ? '59' : second + decimals.slice(0, 4)
  const ms = Date.parse(`${day}T${minute}:${seconds}${zone.toUpperCase()}`)
  if (Number.isNaN(ms)) return undefined
  // A leap second is the last one of a day in UTC. It is stored as the second after it.
  if (isLeap && !new Date(ms).toISOString().includes('T23:59')) return undefined
  const time = new Date(ms + (isLeap ? 1000 : 0)).toISOString()
  // With its offset, a time may be before the year 0 or after 9999.
  return time.length === 24 ? time : undefined
}

/** Parses a time to UTC, in which seconds may be left out; of a day, its beginning or that of a later one. */
const timeParser = (laterDays: number) =>
  parser((text) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) return parseTime(text.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00'))
    const day = parseTime(`${text}T00:00:00Z`)
    return day && new Date(Date.parse(day) + laterDays * 86_400_000).toISOString()
  }, 'a day or a time such as 2026-01-31 or 2026-01-31T12:00:00Z')

/** `--since` and `--until`. */
export const periodOptions = (): OptionData[] => [
  ['--since <time>', 'only from this day or time (UTC) on, e.g. 2026-01-31', timeParser(0)],
  ['--until <time>', 'only to the end of this day, or before this time', timeParser(1)],
]
