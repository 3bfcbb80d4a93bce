import { printJson, printMessage, writeData } from '../output/output.js'
import { writeAtomically } from '../write-atomically.js'

/** Prints text, or data as JSON, or writes it to a file. */
export async function printOrWrite(data: unknown, file?: string): Promise<undefined> {
  const text = typeof data === 'string' ? data : `${JSON.stringify(data, null, 2)}\n`
  if (file === undefined) {
    if (typeof data === 'string') writeData(data)
    else printJson(data, 2)
    return
  }
  await writeAtomically(file, [text])
  printMessage(`Wrote ${file}.`)
}
