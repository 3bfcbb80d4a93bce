import { extname } from 'node:path'
import { JoinWaitlistBody } from '../../contract/schemas.js'
import { emptyState, WaitlistEntry } from '../../store/state-file.js'
import { showProgress } from '../output/progress.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './database.js'
import { readAddresses } from './read-addresses.js'
import { type WaitlistFormat, waitlistFormats } from './waitlist-formats.js'

export type ImportOptions = {
  database?: string
  /** A path, or `-` for standard input. */
  file: string
  /** Left out: as the file's name ends. */
  format?: WaitlistFormat
  /** Leave out what is no address, instead of everything. */
  skipInvalid?: boolean
}

export type Fault = { place: string; reason: string }
/** How many addresses were added, how many were there already or twice in the file, and which were refused. */
export type ImportReport = { added: number; known: number; refused: Fault[] }

/**
 * Adds the addresses of a file in one transaction. Where an entry is refused, nothing is added, unless
 * `skipInvalid` is given. An entry without a time counts as of now.
 * @throws UserError for a file that cannot be read, or in a format that nobody knows
 */
export async function importWaitlist(options: ImportOptions): Promise<ImportReport & { imported: boolean }> {
  const { database, file, skipInvalid = false } = options
  const format = options.format ?? formatOf(file)
  const now = new Date().toISOString()
  return withDatabase(database, async (store) => {
    const entries: WaitlistEntry[] = []
    const refused: Fault[] = []
    const progress = showProgress('lines')
    try {
      for await (const found of readAddresses(file, format)) {
        const entry = 'fault' in found ? found.fault : entryOf(found.value, now)
        if (typeof entry === 'string') refused.push({ place: found.place, reason: entry })
        else entries.push(entry)
        progress.report(entries.length + refused.length)
      }
      refused.sort((a, b) => inOrder.compare(a.place, b.place))
      if (refused.length > 0 && !skipInvalid) return { imported: false, added: 0, known: 0, refused }
      const { created, existing } = await store.load({ ...emptyState(), waitlist: entries })
      return { imported: true, added: created.waitlist, known: existing.waitlist, refused }
    } finally {
      await progress.stop()
    }
  })
}

/** Line 10 after line 9: what is no CSV at all is found out before the lines ahead of it are read. */
const inOrder = new Intl.Collator('en', { numeric: true })

/** The entry that a value stands for, or what is wrong with it. */
function entryOf(value: unknown, now: string): WaitlistEntry | string {
  const address = JoinWaitlistBody.safeParse(value)
  if (!address.success) return 'no email address'
  const { createdAt = now } = value as { createdAt?: unknown }
  const time = WaitlistEntry.shape.createdAt.safeParse(createdAt)
  if (!time.success) return 'createdAt is not a time such as 2026-01-31T12:00:00.000Z'
  return { email: address.data.email, createdAt: time.data }
}

function formatOf(file: string): WaitlistFormat {
  const known = Object.keys(waitlistFormats) as WaitlistFormat[]
  const format = known.find((each) => `.${each}` === extname(file).toLowerCase())
  if (format) return format
  throw new UserError(
    `The name of ${file === '-' ? 'standard input' : file} does not say what it holds.`,
    `Add --format with one of: ${known.join(', ')}.`,
  )
}
