import { Failure, UserError } from './user-error.js'

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

/**
 * Translates a system error for a file that cannot be written; returns any other error unchanged.
 * @param hint what to do if it is the user's mistake
 */
export function writeFailure(file: string, error: unknown, hint = 'Choose another file.'): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (!code || !/^E[A-Z]+$/.test(code)) return error
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
