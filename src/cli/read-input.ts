import type { Readable } from 'node:stream'
import { readFailure } from './file-failure.js'
import { UserError } from './user-error.js'

/** What it is called in an error, and the hints. */
type Words = { name: string; unreadable: string; tooLarge: string }

/**
 * Reads a file or a pipe to its end. Some devices have none.
 * @throws UserError if it cannot be read, or has more bytes
 */
export async function readInput(input: Readable, maxBytes: number, words: Words): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of input) {
      size += chunk.length
      if (size > maxBytes) {
        throw new UserError(`${words.name} is larger than ${maxBytes / 1024 / 1024} MiB.`, words.tooLarge)
      }
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof UserError ? error : readFailure(words.name, error as Error, words.unreadable)
  }
  return Buffer.concat(chunks)
}
