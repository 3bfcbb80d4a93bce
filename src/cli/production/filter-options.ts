import type { OptionData } from '../define-command.js'
import { parser } from '../options.js'
import { parseTime } from './parse-time.js'

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** Parses a time to UTC; of a day, its beginning or that of a later one. */
const timeParser = (laterDays: number) =>
  parser((text) => {
    if (!isDay(text)) {
      // Seconds may be left out.
      return parseTime(text.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00'))
    }
    const day = parseTime(`${text}T00:00:00Z`)
    return day && new Date(Date.parse(day) + laterDays * 86_400_000).toISOString()
  }, 'a day or a time such as 2026-01-31 or 2026-01-31T12:00:00Z')

/** `--since` and `--until`. */
export const filterOptions = (): OptionData[] => [
  ['--since <time>', 'only from this day or time (UTC) on, e.g. 2026-01-31', timeParser(0)],
  ['--until <time>', 'only to the end of this day, or before this time', timeParser(1)],
]
