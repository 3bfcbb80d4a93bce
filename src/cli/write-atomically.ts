import { writeFailure } from './file-failure.js'

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
  try {
    await replaceFile(file, chunks)
  } catch (error) {
    throw writeFailure(file, error, 'Choose another file.')
  }
}
