import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { workerScriptFile, workerScriptName } from '../mock/worker-script.js'
import { addCommand } from './define-command.js'
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
      const report = await copyWorkerScript(folder, check)
      const message = describe(report)
      await show({ data: report, lines: [report.file] }, json)
      if (['missing', 'out of date'].includes(report.status)) {
        throw new Failure(message, `Run "npx dashboard-api init ${folder}".`)
      }
      printMessage(message)
      return undefined
    },
  })

type Report = {
  file: string
  status: 'created' | 'updated' | 'up to date' | 'missing' | 'out of date'
  /** Of the installed MSW. */
  version: string
  /** Of the copy, if it differs. */
  previous?: string
}

type Script = { text: string; version: string }

/** @throws UserError if there is no such folder, or another file has the script's name */
async function copyWorkerScript(folder: string, checkOnly = false): Promise<Report> {
  if (!(await isFolder(folder))) {
    throw new UserError(
      `There is no folder ${folder}.`,
      'Name the folder whose files your site serves unchanged, often "public"; create it if necessary.',
    )
  }
  const file = join(folder, workerScriptName)
  const [installed, copy] = await Promise.all([readScript(workerScriptFile()), readScript(file)])
  if (!installed) throw new Failure('The installation of MSW is incomplete: its worker script is missing.')
  const { text, version } = installed
  const report = { file, version, ...(copy && copy.version !== version && { previous: copy.version }) }

  // A checkout on Windows may have changed the line endings.
  if (copy?.text.replaceAll('\r\n', '\n') === text) return { ...report, status: 'up to date' }
  if (checkOnly) return { ...report, status: copy ? 'out of date' : 'missing' }
  await writeFile(file, text).catch((error: Error) => {
    throw new Failure(`${file} could not be written: ${error.message}`)
  })
  return { ...report, status: copy ? 'updated' : 'created' }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** @returns undefined if there is no file. @throws UserError if it is a different file, which is left unchanged */
async function readScript(file: string): Promise<Script | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UserError(`${file} cannot be read: ${error.message}`)
  })
  if (text === undefined) return undefined
  const version = /PACKAGE_VERSION = ['"]([^'"]+)['"]/.exec(text)?.[1]
  if (version !== undefined) return { text, version }
  throw new UserError(`${file} is not MSW's worker script, and was not changed.`, 'Move it away first.')
}

function describe({ file, status, version, previous }: Report): string {
  const texts = {
    created: `Created ${file} of MSW ${version}.`,
    'up to date': `${file} is up to date: MSW ${version}.`,
    missing: `${file} is missing.`,
    updated: previous
      ? `Updated ${file} from MSW ${previous} to ${version}.`
      : `Updated ${file}: it differed from the script of MSW ${version}.`,
    'out of date': previous
      ? `${file} is out of date: it is from MSW ${previous}, and ${version} is installed.`
      : `${file} differs from the script of MSW ${version}; it must not be edited.`,
  }
  return texts[status]
}
