import { writeAll } from '../output/output.js'
import { showProgress } from '../output/progress.js'
import { Interrupted, watchSignals } from '../signals.js'
import { writeAtomically } from '../write-atomically.js'

type Source<Row> = { entries: AsyncIterable<Row>; count(): Promise<number> }
type Target<Row> = {
  /** What the progress counts, in the plural. */
  unit: string
  format(rows: AsyncIterable<Row>): AsyncIterable<string>
  /** Whether the text is JSON, in which a terminal gets control characters as escapes. */
  isJson: boolean
  /** The file to write; standard output, if left out. */
  output: string | undefined
}

/**
 * Exports rows with constant memory. A file is written atomically.
 * @returns the number of rows
 * @throws Interrupted by a signal; the file is then unchanged
 */
export async function exportRows<Row>(
  { entries, count }: Source<Row>,
  { unit, format, isJson, output }: Target<Row>,
): Promise<number> {
  // Where the terminal shows the data itself, a progress line would overwrite it.
  const showsProgress = output !== undefined || !process.stdout.isTTY
  const progress = showsProgress ? showProgress(unit, await count()) : undefined
  const signals = output === undefined ? undefined : watchSignals()
  let written = 0
  async function* counted() {
    for await (const entry of entries) {
      const signal = signals?.received()
      if (signal) throw new Interrupted(signal, `Nothing was written: ${output} is unchanged.`)
      written += 1
      progress?.report(written)
      yield entry
    }
  }
  const text = format(counted())
  try {
    await (output === undefined ? writeAll(text, isJson) : writeAtomically(output, text))
  } finally {
    await progress?.stop()
  }
  return written
}
