import { readInput } from '../files.js'
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
  const hint = 'Give the path of a JSON file, or - for the standard input.'
  const content = String(await readInput(file, { name, hint }))
  try {
    return { body: JSON.parse(content), status, unchecked }
  } catch (error) {
    if (unchecked) return { text: content, status, unchecked }
    const hint = 'Add --unchecked to send it nevertheless.'
    throw new UserError(`${name} is not JSON: ${(error as Error).message}`, hint)
  }
}
