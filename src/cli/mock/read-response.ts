import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { readFailure } from '../files.js'
import { UserError } from '../user-error.js'

type Response = { body?: string; status?: number; unchecked?: boolean }

/**
 * Reads a custom response of `scenario set`; undefined without `--body`.
 * @throws UserError for a file that cannot be read, or that is not JSON and not to be sent unchecked
 */
export async function readResponse({ body: file, status, unchecked }: Response) {
  if (file === undefined && (status !== undefined || unchecked)) {
    throw new UserError('--status and --unchecked need --body.')
  }
  if (file === undefined) return undefined
  const name = file === '-' ? 'The standard input' : file
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error) => {
    throw readFailure(name, error, 'Give the path of a JSON file, or - for the standard input.')
  })
  try {
    return { body: JSON.parse(content), status, unchecked }
  } catch (error) {
    if (unchecked) return { text: content, status, unchecked }
    const hint = 'Add --unchecked to send it nevertheless.'
    throw new UserError(`${name} is not JSON: ${(error as Error).message}`, hint)
  }
}
