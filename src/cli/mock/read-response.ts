import type { OptionValues } from 'commander'
import { headersOf } from '../../mock/engine/header-lines.js'
import { parseJsonText } from '../../store/parse-json-text.js'
import { readInput } from '../files.js'
import { UserError } from '../user-error.js'

const hint = 'Give the path of a JSON file, or - for the standard input.'

/**
 * Reads a custom response of `mock scenario set`; undefined without `--body`.
 * @throws UserError for a file that cannot be read, or that is not JSON and not to be sent unchecked
 */
export async function readResponse({ body: file, status, unchecked, header }: OptionValues) {
  if (file === undefined) {
    if (status === undefined && !unchecked && !header) return undefined
    throw new UserError('--status, --header and --unchecked need --body.', hint)
  }
  const text = String(await readInput(file, { hint }))
  const headers = header && headersOf(header)
  try {
    return { body: await parseJsonText(text), status, headers, unchecked }
  } catch (error) {
    if (unchecked) return { text, status, headers, unchecked }
    throw new UserError(
      `The body of ${file === '-' ? 'the standard input' : file}: ${(error as Error).message}.`,
      'Add --unchecked to send it nevertheless.',
    )
  }
}
