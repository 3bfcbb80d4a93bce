import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { workerScriptFile, workerScriptName } from '../mock/worker-script.js'
import { addCommand } from './define-command.js'
import { readFailure, writeFailure } from './files.js'
import { jsonOption } from './options.js'
import { printMessage } from './output/output.js'
import { show } from './output/show.js'
import { Failure, UserError } from './user-error.js'

export const define = (init: Command) =>
  addCommand(init, '<public-dir>', {
    about: "Copy MSW's worker script into a public folder. dashboard-api/vite does not need it.",
    args: ['the folder whose files your site serves unchanged, e.g. public'],
    options: [['--check', 'change nothing; exit with 1 if the copy is missing or out of date'], jsonOption()],
    examples: ['public', 'public --check'],
    async run({ 'public-dir': folder, check, json }) {
      const isFolder = await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      )
      if (!isFolder) {
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
      const [missing, different] = check
        ? (['missing', 'out of date'] as const)
        : (['created', 'updated'] as const)
      const status = isSame ? 'up to date' : copy ? different : missing
      const message = messages[status](file, version, previous)
      await show({ data: { file, status, version, previous }, lines: [file] }, json)
      if (check && !isSame) throw new Failure(message, `Run "npx dashboard-api init ${folder}".`)
      printMessage(message)
      return undefined
    },
  })

type Message = (file: string, version: string, previous?: string) => string

/** @param previous the version of the copy, if it is another one */
const messages = {
  created: (file, version) => `Created ${file} of MSW ${version}.`,
  'up to date': (file, version) => `${file} is up to date: MSW ${version}.`,
  missing: (file) => `${file} is missing.`,
  updated: (file, version, previous) =>
    previous
      ? `Updated ${file} from MSW ${previous} to ${version}.`
      : `Updated ${file}: it differed from the script of MSW ${version}.`,
  'out of date': (file, version, previous) =>
    previous
      ? `${file} is out of date: it is from MSW ${previous}, and ${version} is installed.`
      : `${file} differs from the script of MSW ${version}; it must not be edited.`,
} satisfies Record<string, Message>

/** @throws UserError for a different file, which is left unchanged */
async function readScript(file: string) {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw readFailure(file, error, 'Install MSW again, or choose another folder.')
  })
  const version = /PACKAGE_VERSION = ['"]([^'"]+)['"]/.exec(text)?.[1]
  if (version !== undefined) return { text, version }
  throw new UserError(`${file} is not MSW's worker script, and was not changed.`, 'Move it away first.')
}
