import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseNewer } from '../database-version.js'
import type { OpeningOptions } from '../production-store.js'
import { StoreUnavailableError } from '../store.js'
import { withFile } from '../with-file.js'
import type { Connection } from './connection.js'
import { followLinks } from './follow-links.js'
import { openToRead, withReader } from './open-to-read.js'
import { applicationId, knownVersion, notOurs, readSchema } from './schema-version.js'

const headerLength = 100
const magic = 'SQLite format 3\0'
const offsets = { userVersion: 60, applicationId: 68 }
const notUsable = 'it cannot be read and written'

export type FileOptions = OpeningOptions & {
  /** Whether a missing folder of a missing file is created. */
  makeFolder?: boolean
}

/**
 * Checks that a file may be opened for writing. Nothing is changed.
 * @returns whether it is new: missing or empty
 * @throws DatabaseRefusedError for a file that is not ours, is newer than we know, or is damaged
 */
export async function checkFile(
  file: string,
  busyTimeoutMs: number,
  { mustExist = false, makeFolder = false, ...options }: FileOptions = {},
): Promise<boolean> {
  const size = await sizeOf(file)
  if (size) {
    await checkExisting(file, busyTimeoutMs, options)
    return false
  }
  if (mustExist) throw missing(file, size)
  const folder = makeFolder ? await nearestFolder(file) : folderOf(file)
  await requireAccess(file, folder, 'its folder cannot be written', constants.W_OK)
  if (size === 0) await requireAccess(file, file, notUsable, constants.R_OK | constants.W_OK)
  return true
}

/** The same for a file that must exist: a missing or empty one is refused too. */
export async function checkExisting(
  file: string,
  busyTimeoutMs: number,
  options: Pick<FileOptions, 'checkFully'> = {},
): Promise<void> {
  await requireWritableFolder(file)
  await requireAccess(file, file, notUsable, constants.R_OK | constants.W_OK)
  refuseNewer(file, { oldest: await checkHeader(file) }, knownVersion)
  if (options.checkFully) return checkFully(file, busyTimeoutMs)
  await withReader(file, busyTimeoutMs, (connection) => checkContent(file, connection))
}

/**
 * Checks that a file is a database of ours. Reads it without SQLite, which would create files beside another program's
 * database.
 * @returns the oldest program that works with it, by the header; a commit in the log may have a newer one
 * @throws DatabaseRefusedError, or the system's error where the file cannot be read
 */
export async function checkHeader(file: string): Promise<number> {
  const header = await withFile(file, 'r', async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerLength), 0, headerLength, 0)
    return buffer.subarray(0, bytesRead)
  })
  const refused = (reason: string) =>
    new DatabaseRefusedError(file, reason, 'Choose another file: this one was not changed.')
  if (header.length === 0) throw refused('it is empty')
  if (header.length < headerLength || header.toString('latin1', 0, magic.length) !== magic) {
    throw refused('it is not a SQLite database')
  }
  if (header.readInt32BE(offsets.applicationId) !== applicationId) throw notOurs(file)
  return header.readInt32BE(offsets.userVersion)
}

/**
 * Opens a file that exists, to read it. Nothing is changed; no more than the right to read it is needed.
 * @throws DatabaseRefusedError where the file is not ours, newer than we know, damaged, or not readable for this user
 */
export async function openChecked(file: string, busyTimeoutMs: number) {
  await checkHeader(file).catch((error) => {
    if (error instanceof DatabaseRefusedError) throw error
    const hint = 'Allow this user to read it, or choose another file.'
    throw new DatabaseRefusedError(file, `it cannot be read (${codeOf(error)})`, hint, error)
  })
  const connection = await openToRead(file, busyTimeoutMs)
  try {
    await checkContent(file, connection)
    return { connection, schema: await readSchema(connection) }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** The file's length in bytes; undefined if it does not exist. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new DatabaseRefusedError(file, 'it is not a file', 'Choose another path.')
    return found.size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (error instanceof DatabaseRefusedError) throw error
    throw accessRefused(file, 'it cannot be accessed', error)
  }
}

/** Whether users other than its owner and its group can read a file. Not every platform has such modes. */
export const isReadableByOthers = async (file: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(file)).mode & 0o004) !== 0

const missing = (file: string, size: number | undefined) =>
  new DatabaseRefusedError(
    file,
    size === undefined ? 'it does not exist' : 'it is empty',
    'Correct the path; or create the database, without --must-exist.',
  )

/** The folder of a file, or the nearest one above it that exists. */
async function nearestFolder(file: string): Promise<string> {
  const folder = dirname(file)
  const exists = await access(folder).then(
    () => true,
    (error) => codeOf(error) !== 'ENOENT',
  )
  return exists || folder === file ? folder : nearestFolder(folder)
}

/** Creates the folder of a file. @throws DatabaseRefusedError */
export async function createFolder(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
  } catch (error) {
    throw accessRefused(file, 'its folder cannot be created', error)
  }
}

const folderOf = (file: string) => dirname(followLinks(file))

const requireWritableFolder = (file: string) =>
  requireAccess(file, folderOf(file), 'its folder cannot be written', constants.W_OK)

async function requireAccess(file: string, path: string, fault: string, mode: number): Promise<void> {
  try {
    await access(path, mode)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw accessRefused(file, fault, error)
    const reason = `there is no folder ${folderOf(file)}`
    throw new DatabaseRefusedError(file, reason, 'Create the folder, or choose another path.', error)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const accessRefused = (file: string, fault: string, error: unknown) =>
  new DatabaseRefusedError(
    file,
    `${fault} (${codeOf(error)})`,
    `Allow this user to read and write it and ${folderOf(file)}, or choose another path.`,
    error,
  )

/**
 * Checks every page, index and reference of a file, which takes longer than the check before a file is opened.
 * @throws DatabaseRefusedError
 */
export const checkFully = (file: string, busyTimeoutMs: number): Promise<void> =>
  withReader(file, busyTimeoutMs, (connection) => checkContent(file, connection, 'integrity_check'))

/** @throws DatabaseRefusedError for a database that is newer than we know, or is damaged */
export async function checkContent(
  file: string,
  connection: Connection,
  pragma: 'quick_check' | 'integrity_check' = 'quick_check',
): Promise<void> {
  try {
    refuseNewer(file, await readSchema(connection), knownVersion)
    const damage = await findDamage(connection, pragma, 5)
    const dangling = pragma === 'integrity_check' ? await findDangling(connection) : undefined
    if (damage || dangling) throw damaged(file, [damage, dangling].filter(Boolean).join('; '))
  } catch (error) {
    if (error instanceof DatabaseRefusedError || error instanceof StoreUnavailableError) throw error
    throw damaged(file, (error as Error).message, error)
  }
}

/** The first faults that SQLite finds in a database; undefined if there is none. */
export async function findDamage(
  connection: Connection,
  pragma: 'quick_check' | 'integrity_check',
  max: number,
): Promise<string | undefined> {
  const rows = await connection.all<Record<string, string>>(`PRAGMA ${pragma}(${max})`)
  const faults = rows.map((row) => row[pragma]).filter((line) => line !== 'ok')
  return faults.length > 0 ? faults.join('; ').replaceAll('\n', ' ') : undefined
}

/** What is wrong with the references of a database; undefined if nothing is. */
export async function findDangling(connection: Connection): Promise<string | undefined> {
  const { length } = await connection.all('PRAGMA foreign_key_check')
  return length > 0 ? `${length} rows with a dangling reference` : undefined
}

const damageCodes = new Set<string | undefined>(['SQLITE_CORRUPT', 'SQLITE_NOTADB'])

/** Whether SQLite reports the content of the file as damaged. */
export const isDamage = (error: unknown): boolean => damageCodes.has(codeOf(error))

export const damaged = (file: string, faults: string, cause?: unknown) =>
  new DatabaseRefusedError(
    file,
    `it is damaged (${faults})`,
    'Restore a backup, or choose another file: this one was not changed.',
    cause,
  )
