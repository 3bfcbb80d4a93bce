import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { CustomResponse } from '../../mock/core/custom-response.js'
import { readFailure } from '../file-failure.js'
import { UserError } from '../user-error.js'

/**
 * Makes a response of a file, or of standard input if it is `-`. A file that is not JSON is sent as it is if the response
 * is unchecked.
 * @throws UserError if it cannot be read, or is not JSON
 */
export async function readResponse(
  file: string,
  { status, unchecked }: Pick<CustomResponse, 'status' | 'unchecked'>,
): Promise<CustomResponse> {
  const name = file === '-' ? 'The standard input' : file
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error) => {
    throw readFailure(name, error, 'Give the path of a JSON file, or - for the standard input.')
  })
  return { ...parseBody(content, name, unchecked), status, unchecked }
}

/**
 * @param name of the text, for the error
 * @throws UserError if the text is not JSON, unless it is unchecked
 */
export function parseBody(
  content: string,
  name: string,
  unchecked = false,
): Pick<CustomResponse, 'body' | 'text'> {
  try {
    return { body: JSON.parse(content) }
  } catch (error) {
    if (unchecked) return { text: content }
    throw new UserError(
      `${name} is not JSON: ${(error as Error).message}`,
      'Add --unchecked to send it nevertheless.',
    )
  }
}
