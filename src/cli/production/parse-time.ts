import type { OptionData } from '../define-command.js'
import { parser } from '../options.js'

const pattern =
  /^(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/

/**
 * Parses a time in any form of RFC 3339: with any offset, any number of decimals, a small `t` or `z`, a space in place of
 * the `T`, and leap seconds.
 * @returns the time in UTC with milliseconds, as it is stored; undefined for any other text
 */
export function parseTime(text: string): string | undefined {
  const [, date, hours, minutes, seconds, decimals = '', sign, offsetHours = 0, offsetMinutes = 0] =
    pattern.exec(text) ?? []
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  // A day such as February 30 would be one of March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
  const minute = midnight + (Number(hours) * 60 + Number(minutes) - offset) * 60_000
  // A leap second is the last one of a day in UTC. It is stored as the second after it.
  if (seconds === '60' && !new Date(minute).toISOString().includes('T23:59')) return undefined
  const ms = Number(decimals.slice(0, 3).padEnd(3, '0'))
  const time = new Date(minute + Number(seconds) * 1000 + (seconds === '60' ? 0 : ms)).toISOString()
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
