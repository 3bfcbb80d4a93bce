import { existsSync, lstatSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { defaultDatabaseFile } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { refuseNewer } from '../database-version.js'
import type { OpeningOptions } from '../production-store.js'
import { StoreUnavailableError } from '../store.js'
import { isRebuilt, notOurs, requireOurs } from './check-schema.js'
import { type Connection, withConnection, withReader } from './connection.js'
import { realFile } from './file-identity.js'
import { findDamage, findDangling } from './find-damage.js'
import { readHeader, usesLog } from './foreign-log.js'
import { refuseLoneMount } from './lone-mount.js'
import { isOpenHere } from './open-here.js'
import { applicationId, knownVersion, readSchema } from './schema-version.js'

const headerLength = 100
const magic = 'SQLite format 3\0'
const offsets = { userVersion: 60, applicationId: 68 }

/**
 * Checks that a file may be opened for writing. Changes nothing.
 * @returns whether it is new: missing or empty
 * @throws DatabaseRefusedError if the file belongs to another program, is too new, or is damaged
 */
export async function checkFile(
  file: string,
  busyTimeoutMs: number,
  { mustExist = false, ...options }: OpeningOptions = {},
): Promise<boolean> {
  const size = await sizeOf(file)
  if (size === undefined && lstatSync(file, { throwIfNoEntry: false })) {
    throw new DatabaseRefusedError(
      file,
      'it is a link that leads to no file',
      'Correct the link, or name the file.',
    )
  }
  const isNew = !size
  if (isNew && mustExist) {
    const hint =
      'Correct the path; or create the database, with "serve" or "seed" and DASHBOARD_API_DATABASE_SETUP=create.'
    throw new DatabaseRefusedError(file, size === undefined ? 'it does not exist' : 'it is empty', hint)
  }
  const folder = folderOf(file)
  const hasFolder = existsSync(folder)
  if (!hasFolder && file !== resolve(defaultDatabaseFile)) {
    const hint = 'Create the folder, or choose another path.'
    throw new DatabaseRefusedError(file, `there is no folder ${folder}`, hint)
  }
  const fault = hasFolder ? 'its folder cannot be written' : 'its folder cannot be created'
  await access(hasFolder ? folder : dirname(folder), W_OK).catch(refuse(file, fault))
  if (size !== undefined) {
    await access(file, R_OK | W_OK).catch(refuse(file, 'it cannot be read and written'))
  }
  if (size !== undefined) await refuseLoneMount(realFile(file))
  if (isNew) return true
  refuseNewer(file, { oldest: await checkHeader(file, busyTimeoutMs) }, knownVersion)
  await withReader(file, busyTimeoutMs, (connection) => checkIntegrity(file, connection, options))
  return false
}

/** Checks the content of a file that this process may have open. Only SQLite reads it. @throws DatabaseRefusedError */
export const checkOpenFile = (file: string, busyTimeoutMs: number, options: OpeningOptions): Promise<void> =>
  withReader(file, busyTimeoutMs, async (connection) => {
    await checkIntegrity(file, connection, options)
    await requireOurs(connection, file)
    if ((await readSchema(connection)).version === 0) throw damaged(file, 'it is empty')
  })

/**
 * Checks that a file is a database of this program. Reads it without SQLite, which would create files beside another program's
 * database, unless this process has it open.
 * @returns the oldest program that works with it, by the header; a commit in the log may have a newer one
 * @throws DatabaseRefusedError
 */
export async function checkHeader(file: string, busyTimeoutMs: number): Promise<number> {
  // Opening a pipe would wait for its other end.
  if ((await sizeOf(file)) === undefined) {
    throw new DatabaseRefusedError(file, 'it does not exist', 'Correct the path.')
  }
  if (isOpenHere(file)) {
    return withReader(file, busyTimeoutMs, async (connection) => {
      await requireOurs(connection, file)
      return (await readSchema(connection)).oldest
    })
  }
  const header = await new Promise<Buffer>((resolve) => resolve(readHeader(file))).catch(
    refuse(file, 'it cannot be read'),
  )
  const refused = (reason: string) =>
    new DatabaseRefusedError(file, reason, 'Choose another file: this one was not changed.')
  if (header.length === 0) throw refused('it is empty')
  if (header.length < headerLength || header.toString('latin1', 0, magic.length) !== magic) {
    throw refused('it is not a SQLite database')
  }
  const application = header.readInt32BE(offsets.applicationId)
  if (application !== applicationId && !(application === 0 && (await isRebuiltFile(file))))
    throw notOurs(file)
  if (usesLog(header)) await refuseLoneMount(realFile(file))
  return header.readInt32BE(offsets.userVersion)
}

/** Whether a file without a mark has the tables of this program, see `isRebuilt`. Looks at the file alone, without its log. */
const isRebuiltFile = (file: string): Promise<boolean> =>
  withConnection(file, 'immutable', 0, (connection) => isRebuilt(connection, file)).catch((error) => {
    if (error instanceof DatabaseRefusedError) throw error
    return false
  })

/**
 * The length of a file in bytes; undefined if it does not exist.
 * @throws DatabaseRefusedError if the path is no file, such as a folder or a device, or cannot be accessed
 */
export async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error) =>
    error.code === 'ENOENT' ? undefined : refuse(file, 'it cannot be accessed')(error),
  )
  if (found === undefined || found.isFile()) return found?.size
  throw new DatabaseRefusedError(file, 'it is not a file', 'Choose another path.')
}

/** Whether users other than the owner and the group can read a file. Not every platform has such modes. */
export const isReadableByOthers = async (file: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(file)).mode & 0o004) !== 0

/** Creates the folder of a file. @throws DatabaseRefusedError */
export async function createFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true }).catch(refuse(file, 'its folder cannot be created'))
}

const { R_OK, W_OK } = constants

const folderOf = (file: string) => dirname(realFile(file))

/** Refuses a file that this user may not use. */
const refuse = (file: string, fault: string) => (error: NodeJS.ErrnoException) => {
  const hint = `Allow this user to read and write it and ${folderOf(file)}, or choose another path.`
  throw new DatabaseRefusedError(file, `${fault} (${error.code})`, hint, error)
}

/**
 * @param options.checkFully check every index and reference, which takes longer
 * @throws DatabaseRefusedError if the database is too new or damaged
 */
async function checkIntegrity(
  file: string,
  connection: Connection,
  { checkFully = false }: OpeningOptions = {},
): Promise<void> {
  try {
    refuseNewer(file, await readSchema(connection), knownVersion)
    const fault = await findDamage(connection, checkFully ? 'integrity_check' : 'quick_check', 5)
    const dangling = checkFully ? await findDangling(connection) : undefined
    if (fault ?? dangling) throw damaged(file, [fault, dangling].filter(Boolean).join('; '))
  } catch (error) {
    if (error instanceof DatabaseRefusedError || error instanceof StoreUnavailableError) throw error
    throw damaged(file, (error as Error).message, error)
  }
}

export function damaged(file: string, faults: string, cause?: unknown): DatabaseRefusedError {
  const log = `${realFile(file)}-wal`
  const advice = 'Restore a backup, or choose another file: this one was not changed.'
  // The header of a raw copy does not tell whose log it is.
  const move = `If the file was copied here beside the log of another one, move ${log} to another folder, and try again.`
  return new DatabaseRefusedError(
    file,
    `it is damaged (${faults})`,
    existsSync(log) ? `${advice} ${move}` : advice,
    cause,
  )
}
