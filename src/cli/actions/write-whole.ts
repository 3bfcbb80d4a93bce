import { replaceFile } from '../../store/replace-file.js'
import { Failure, UserError } from '../user-error.js'

/**
 * Writes a file whole or not at all, as `replaceFile` does.
 * @param chunks the text, in the pieces in which it is made
 * @throws UserError for a place that cannot be written, Failure for anything else of the file system
 */
export async function writeWhole(file: string, chunks: Iterable<string>): Promise<void> {
  try {
    await replaceFile(file, chunks)
  } catch (error) {
    throw writeFailure(file, error)
  }
}

const mistakes: Record<string, string> = {
  ENOENT: 'there is no such folder',
  EISDIR: 'it is not a file',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

function writeFailure(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const mistake = mistakes[code]
  if (mistake) return new UserError(`${file} cannot be written: ${mistake}.`, 'Choose another --output.')
  return new Failure(`${file} could not be written and is as it was: ${message}`)
}
