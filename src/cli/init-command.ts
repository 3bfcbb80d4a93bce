import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { workerScriptFile, workerScriptName } from '../mock/worker-script.js'
import { shellQuote } from '../pages/shell-quote.js'
import { addCommand } from './define-command.js'
import { isFolder, readInput, writeFailure } from './files.js'
import { jsonOption } from './options.js'
import { Failure, UserError } from './user-error.js'

export const define = (init: Command) =>
  addCommand(init, '<public-dir>', {
    about: "Copy MSW's worker script into a public folder. dashboard-api/vite does not need it.",
    args: ['the folder whose files your site serves unchanged, e.g. public'],
    options: [
      ['--check', 'change nothing; exit with 1 if the copy is missing, or not the installed script'],
      jsonOption(),
    ],
    examples: ['public', 'public --check'],
    async run({ 'public-dir': folder, check }) {
      if (!isFolder(folder)) {
        throw new UserError(
          `There is no folder ${folder}.`,
          'Name the folder whose files your site serves unchanged, often "public"; create it if necessary.',
        )
      }
      const file = join(folder, workerScriptName)
      const { text, version } = await readScript(workerScriptFile())
      const copy = existsSync(file) ? await readScript(file) : undefined
      // A checkout on Windows may have changed the line endings.
      const isSame = copy?.text.replaceAll('\r\n', '\n') === text
      const previous = copy && copy.version !== version ? copy.version : undefined
      if (!isSame && !check) {
        await writeFile(file, text).catch((error) => {
          throw writeFailure(file, error)
        })
      }
      const missing = check ? 'missing' : 'created'
      const different = check ? 'different' : 'replaced'
      const status = isSame ? 'up to date' : copy ? different : missing
      // Of the same version, it may have been edited, formatted, or made by another build of MSW.
      const found = previous ? `of MSW ${previous}` : 'with that version, and other content'
      const message = `${file} is ${status} (MSW ${version}).${copy && !isSame ? ` Found there: a script ${found}.` : ''}`
      return {
        data: { file, status, version, previous },
        lines: [file],
        ...(check && !isSame
          ? { failure: new Failure(message, `Run "npx dashboard-api init ${shellQuote(folder)}".`) }
          : { message }),
      }
    },
  })

/** @throws UserError for a different file, which is left unchanged */
async function readScript(file: string) {
  const text = String(await readInput(file, { hint: 'Install MSW again, or choose another folder.' }))
  const version = /PACKAGE_VERSION = ['"]([^'"]+)['"]/.exec(text)?.[1]
  if (version !== undefined) return { text, version }
  throw new UserError(`${file} is not MSW's worker script, and was not changed.`, 'Move it away first.')
}
