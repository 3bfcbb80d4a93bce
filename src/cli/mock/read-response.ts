import type { OptionValues } from 'commander'
import { parseJsonText } from '../../store/parse-json-text.js'
import { readInput } from '../files.js'
import { UserError } from '../user-error.js'

/**
 * Reads a custom response of `mock scenario set`; undefined without `--body`.
 * @throws UserError for a file that cannot be read, or that is not JSON and not to be sent unchecked
 */
export async function readResponse({ body: file, status, unchecked }: OptionValues) {
  if (file === undefined) {
    if (status === undefined && !unchecked) return undefined
    throw new UserError('--status and --unchecked need --body.')
  }
  const hint = 'Give the path of a JSON file, or - for the standard input.'
  const text = String(await readInput(file, { hint }))
  try {
    return { body: await parseJsonText(text), status, unchecked }
  } catch (error) {
    if (unchecked) return { text, status, unchecked }
    throw new UserError(
      `The body of ${file === '-' ? 'the standard input' : file}: ${(error as Error).message}.`,
      'Add --unchecked to send it nevertheless.',
    )
  }
}
