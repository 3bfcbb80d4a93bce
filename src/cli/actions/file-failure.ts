import { Failure, UserError } from '../user-error.js'

const mistakes: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

/**
 * What the system says of a file that cannot be written, in the command line's words; any other error as it is.
 * @param hint what to do about a mistake of the user's
 */
export function fileFailure(file: string, error: unknown, hint = 'Choose another file.'): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (!code || !/^E[A-Z]+$/.test(code)) return error
  const mistake = mistakes[code]
  if (mistake) return new UserError(`${file} cannot be written: ${mistake}.`, hint)
  return new Failure(`${file} could not be written and is as it was: ${message}`)
}
