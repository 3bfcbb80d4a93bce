import { replaceFile } from '../../store/replace-file.js'
import { fileFailure } from './file-failure.js'

/**
 * Writes a file whole or not at all, as `replaceFile` does.
 * @param chunks the text, in the pieces in which it is made
 * @throws UserError for a place that cannot be written, Failure for anything else of the file system
 */
export async function writeWhole(
  file: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  try {
    await replaceFile(file, chunks)
  } catch (error) {
    throw fileFailure(file, error, 'Choose another --output.')
  }
}
