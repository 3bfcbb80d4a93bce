import { existsSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { Failure, UserError } from './user-error.js'

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

const writeMistakes: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

const readMistakes: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

/** Translates a system error for a file that cannot be written; returns any other error unchanged. */
export function writeFailure(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (!code || !/^E[A-Z]+$/.test(code)) return error
  const hint = 'Choose another file.'
  const mistake = writeMistakes[code]
  if (mistake) return new UserError(`${file} cannot be written: ${mistake}.`, hint)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return new Failure(
    `${file} could not be written and is unchanged: ${message}`,
    isFull ? `Free space on its disk. ${hint}` : undefined,
  )
}

/** Translates a system error for a file that cannot be read. */
export const readFailure = (file: string, { code = '', message }: NodeJS.ErrnoException, hint: string) =>
  new UserError(`${file} cannot be read: ${readMistakes[code] ?? message}.`, hint)

/**
 * Writes a file atomically with `replaceFile`.
 * @param chunks the text in pieces
 * @throws UserError for a path that cannot be written, Failure for any other error of the file system
 */
export async function writeAtomically(
  file: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const { replaceFile } = await import('../store/replace-file.js')
  await replaceFile(file, chunks).catch((error) => {
    throw writeFailure(file, error)
  })
}

/** What an input is called in an error, and the hints. */
type InputTexts = { name: string; unreadable: string; tooLarge: string }

/**
 * Reads a file or a pipe to its end. Some devices have none.
 * @throws UserError if it cannot be read, or has more bytes
 */
export async function readInput(input: Readable, maxBytes: number, texts: InputTexts): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of input) {
      size += chunk.length
      if (size > maxBytes) {
        throw new UserError(`${texts.name} is larger than ${maxBytes / 1024 / 1024} MiB.`, texts.tooLarge)
      }
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof UserError ? error : readFailure(texts.name, error as Error, texts.unreadable)
  }
  return Buffer.concat(chunks)
}
