import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { workerScriptFile, workerScriptName } from '../../mock/worker-script.js'
import { Failure, UserError } from '../user-error.js'

export type WorkerScriptReport = {
  file: string
  status: 'created' | 'updated' | 'up to date' | 'missing' | 'out of date'
  /** Of the MSW that is installed. */
  version: string
  /** Of the copy that was there, where it is another. */
  previous?: string
}

type Copy = { text: string; version: string }

/**
 * Puts the worker script of the installed MSW into a folder that a site serves as it is.
 * @param folder e.g. `public`
 * @param options.check only says how the copy is, and changes nothing
 * @throws UserError where there is no such folder, or something else has the script's name
 */
export async function placeWorkerScript(folder: string, { check = false } = {}): Promise<WorkerScriptReport> {
  const { file, installed, copy } = await look(folder)
  const { version } = installed
  const report = { file, version, ...(copy && copy.version !== version && { previous: copy.version }) }
  if (isSame(copy, installed)) return { ...report, status: 'up to date' }
  if (check) return { ...report, status: copy ? 'out of date' : 'missing' }
  await writeFile(file, installed.text).catch((error: Error) => {
    throw new Failure(`${file} could not be written: ${error.message}`)
  })
  return { ...report, status: copy ? 'updated' : 'created' }
}

// A checkout on Windows may have given it other line ends.
const isSame = (copy: Copy | undefined, installed: Copy): boolean =>
  copy?.text.replaceAll('\r\n', '\n') === installed.text

async function look(folder: string): Promise<{ file: string; installed: Copy; copy: Copy | undefined }> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) {
    throw new UserError(
      `There is no folder ${folder}.`,
      'Name the folder whose files your site serves as they are, often "public", and create it if need be.',
    )
  }
  const file = join(folder, workerScriptName)
  const [installed, copy] = await Promise.all([readScript(workerScriptFile()), readScript(file)])
  if (!installed) throw new Failure('MSW is not installed whole: its worker script is missing.')
  return { file, installed, copy }
}

/**
 * A copy of the script; undefined where there is none.
 * @throws UserError where something else is there, which is then left alone
 */
async function readScript(file: string): Promise<Copy | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UserError(`${file} cannot be read: ${error.message}`)
  })
  if (text === undefined) return undefined
  const version = /PACKAGE_VERSION = ['"]([^'"]+)['"]/.exec(text)?.[1]
  if (version === undefined) {
    throw new UserError(`${file} is not MSW's worker script, and is left as it is.`, 'Move it away first.')
  }
  return { text, version }
}
