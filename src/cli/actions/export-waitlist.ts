import type { WaitlistFilter } from '../../store/store.js'
import { Interrupted, watchSignals } from '../interrupt.js'
import { showProgress } from '../output/progress.js'
import { withWaitlist } from './waitlist.js'
import { type WaitlistFormat, waitlistFormats } from './waitlist-formats.js'
import { writeWhole } from './write-whole.js'

export type ExportOptions = {
  database?: string
  part: WaitlistFilter
  format: WaitlistFormat
  /** The file; without it the text goes to `write`. */
  output?: string
}

/**
 * Writes a part of the waitlist in constant memory: to a file whole or not at all, or piece by piece to `write`.
 * What is added meanwhile is not in it.
 * @returns how many addresses were written
 * @throws Interrupted by a signal; a file is as it was then
 */
export const exportWaitlist = (
  { database, part, format, output }: ExportOptions,
  write: (text: AsyncIterable<string>) => Promise<void>,
): Promise<number> =>
  withWaitlist(database, part, async (entries, store) => {
    // On a terminal that shows the data itself, progress would be drawn into it.
    const isSeen = output !== undefined || !process.stdout.isTTY
    const progress = isSeen ? showProgress('addresses', await store.countWaitlist(part)) : undefined
    const signals = output === undefined ? undefined : watchSignals()
    let count = 0
    async function* counted() {
      for await (const entry of entries) {
        const signal = signals?.raised()
        if (signal) throw new Interrupted(signal, `Nothing was written: ${output} is as it was.`)
        count += 1
        progress?.report(count)
        yield entry
      }
    }
    const text = waitlistFormats[format](counted())
    try {
      await (output === undefined ? write(text) : writeWhole(output, text))
    } finally {
      await progress?.stop()
    }
    return count
  })
