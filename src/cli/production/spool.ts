import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'

/** Values in a temporary file that only this user can read: a list of any length takes no memory. */
export type Spool<Value> = {
  add(value: Value): Promise<void>
  /** Ends the adding, and returns the values in batches. */
  batches(size: number): AsyncGenerator<Value[]>
  /** Removes the file. */
  remove(): Promise<void>
}

export async function createSpool<Value>(): Promise<Spool<Value>> {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-'))
  const file = join(folder, 'spool.ndjson')
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  // An error is thrown by what waits for the stream.
  output.on('error', () => {})
  return {
    async add(value) {
      if (!output.write(`${JSON.stringify(value)}\n`)) await once(output, 'drain')
    },
    async *batches(size) {
      output.end()
      await finished(output)
      let batch: Value[] = []
      for await (const line of createInterface({ input: createReadStream(file) })) {
        batch.push(JSON.parse(line))
        if (batch.length < size) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async remove() {
      output.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
