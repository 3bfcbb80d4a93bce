import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { Failure, UserError } from './user-error.js'

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * Refuses to make or replace a file that is a SQLite database, or that SQLite would take for a part of one. Call it while no
 * database is open: closing the file would release the locks of this process.
 * @throws UserError
 */
export function refuseDatabaseFile(file: string): void {
  const database = file.replace(/-(wal|shm|journal)$/, '')
  let descriptor: number | undefined
  const start = Buffer.alloc(15)
  try {
    if (!statSync(database, { throwIfNoEntry: false })?.isFile()) return
    descriptor = openSync(database, 'r')
    readSync(descriptor, start, 0, start.length, 0)
  } catch (error) {
    throw writeFailure(file, error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
  if (String(start) !== 'SQLite format 3') return
  throw new UserError(`${file} cannot be written: it belongs to a SQLite database.`, 'Choose another file.')
}

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

type InputOptions = {
  /** Its name in an error; the file's path, if left out. */
  name?: string
  /** What to do about an input that cannot be read. */
  hint: string
  maxBytes?: number
  /** What to do about an input that is too large, if something else. */
  tooLarge?: string
}

/**
 * Reads a file, or standard input for `-`, to its end. Some devices have none.
 * @throws UserError if it cannot be read, or has more bytes
 */
export async function readInput(
  file: string,
  { name = file === '-' ? 'The standard input' : file, hint, ...options }: InputOptions,
): Promise<Buffer> {
  const { maxBytes = 16 * mebibyte, tooLarge = hint } = options
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      size += chunk.length
      if (size > maxBytes) throw new UserError(`${name} is larger than ${maxBytes / mebibyte} MiB.`, tooLarge)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new UserError(`${name} cannot be read: ${readMistakes[code] ?? message}.`, hint)
  }
  return Buffer.concat(chunks)
}

const mebibyte = 1024 * 1024
