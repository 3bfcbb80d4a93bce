import { type Command, InvalidArgumentError, Option } from 'commander'
import type { WaitlistEntry } from '../../store/state-file.js'
import type { StoreReader, WaitlistFilter } from '../../store/store.js'
import { readPages } from './find-records.js'

const dayMs = 86_400_000
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** Adds `--since` and `--until`. */
export const filterOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--since <time>', 'only from this day or time (UTC) on, e.g. 2026-01-31').argParser((text) =>
        parseTime(text, 0),
      ),
    )
    .addOption(
      new Option('--until <time>', 'only to the end of this day, or before this time').argParser((text) =>
        parseTime(text, isDay(text) ? dayMs : 0),
      ),
    )

/** The entries that match the options, newest first, read page by page. */
export function filterEntries(store: StoreReader, { search, since, until }: WaitlistFilter) {
  const filter = { search: search?.toLowerCase(), since, until }
  return {
    entries: readPages<WaitlistEntry>((after, limit) => store.waitlistAfter(after, limit, filter)),
    count: () => store.countWaitlist(filter),
  }
}

function parseTime(text: string, offsetMs: number): string {
  const isTime = isDay(text) || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const ms = isTime ? Date.parse(text) : Number.NaN
  const exists = !Number.isNaN(ms) && (!isDay(text) || new Date(ms).toISOString().startsWith(text))
  if (exists) return new Date(ms + offsetMs).toISOString()
  throw new InvalidArgumentError('Expected a day or a time such as 2026-01-31 or 2026-01-31T12:00:00Z.')
}
