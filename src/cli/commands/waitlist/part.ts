import { type Command, InvalidArgumentError, Option } from 'commander'
import type { WaitlistFilter } from '../../../store/store.js'

const dayMs = 86_400_000
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

/** `--since` and `--until` of a command about the waitlist. */
export const partOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--since <time>', 'only from this day or time (UTC) on, e.g. 2026-01-31').argParser((text) =>
        timeOf(text, 0),
      ),
    )
    .addOption(
      new Option(
        '--until <time>',
        'only up to this day, that one included, or to before this time',
      ).argParser((text) => timeOf(text, isDay(text) ? dayMs : 0)),
    )

/** The part of the waitlist that the options name. */
export const partOf = ({ search, since, until }: WaitlistFilter): WaitlistFilter => ({
  search: search?.toLowerCase(),
  since,
  until,
})

function timeOf(text: string, plusMs: number): string {
  const isTime = isDay(text) || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const ms = isTime ? Date.parse(text) : Number.NaN
  const isReal = !Number.isNaN(ms) && (!isDay(text) || new Date(ms).toISOString().startsWith(text))
  if (isReal) return new Date(ms + plusMs).toISOString()
  throw new InvalidArgumentError('Expected a day or a time such as 2026-01-31 or 2026-01-31T12:00:00Z.')
}
