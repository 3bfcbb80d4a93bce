import { access, constants, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreUnavailableError } from '../store.js'
import { openConnection } from './connection.js'
import { DatabaseRefusedError } from './database-errors.js'
import { applicationId, notOurs, refuseNewer } from './migrations.js'

const headerLength = 100
const magic = 'SQLite format 3\0'
const offsets = { userVersion: 60, applicationId: 68 }
const chooseAnother = 'Choose another file: this one was left as it is.'

/**
 * Makes sure that a file may be opened for writing, and leaves it as it is. A missing or an empty one is new;
 * the folders above it are made.
 * @throws DatabaseRefusedError for a file that is not ours, is newer than we know, or is damaged
 */
export async function checkFile(file: string, busyTimeoutMs: number): Promise<void> {
  const size = await sizeOf(file)
  if (size === undefined) await makeFolder(file)
  if (size) return checkExisting(file, busyTimeoutMs)
  await requireAccess(file, dirname(file), 'its folder cannot be written', constants.W_OK)
  if (size === 0) await requireAccess(file, file, unusable, constants.R_OK | constants.W_OK)
}

/** The same for a file that has to be there: a missing or an empty one is refused too. */
export async function checkExisting(file: string, busyTimeoutMs: number): Promise<void> {
  await requireAccess(file, dirname(file), 'its folder cannot be written', constants.W_OK)
  await requireAccess(file, file, unusable, constants.R_OK | constants.W_OK)
  refuseNewer(file, (await checkHeader(file)).version)
  await checkContent(file, busyTimeoutMs)
}

const unusable = 'it cannot be read and written'

/**
 * Makes sure that a file is a database of ours. Read without SQLite, which would put files of its own beside
 * another program's database.
 * @returns the version that the header has, which may be behind the one in the log
 * @throws DatabaseRefusedError, or the system's error where the file cannot be read
 */
export async function checkHeader(file: string): Promise<{ version: number }> {
  const header = await readHeader(file)
  if (header.length === 0) throw new DatabaseRefusedError(file, 'it is empty', chooseAnother)
  if (header.length < headerLength || header.toString('latin1', 0, magic.length) !== magic) {
    throw new DatabaseRefusedError(file, 'it is not a SQLite database', chooseAnother)
  }
  if (header.readInt32BE(offsets.applicationId) !== applicationId) throw notOurs(file)
  return { version: header.readInt32BE(offsets.userVersion) }
}

/** The file's length in bytes; undefined where there is none. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new DatabaseRefusedError(file, 'it is not a file', 'Choose another path.')
    return found.size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    if (error instanceof DatabaseRefusedError) throw error
    throw refusal(file, 'it cannot be looked at', error)
  }
}

async function makeFolder(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
  } catch (error) {
    throw refusal(file, 'its folder cannot be made', error)
  }
}

async function requireAccess(file: string, path: string, fault: string, mode: number): Promise<void> {
  try {
    await access(path, mode)
  } catch (error) {
    throw refusal(file, fault, error)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const refusal = (file: string, fault: string, error: unknown) =>
  new DatabaseRefusedError(
    file,
    `${fault} (${codeOf(error)})`,
    `Allow this user to read and write it and ${dirname(file)}, or choose another path.`,
    error,
  )

async function readHeader(file: string): Promise<Buffer> {
  const opened = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(headerLength), 0, headerLength, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await opened.close()
  }
}

async function checkContent(file: string, busyTimeoutMs: number): Promise<void> {
  const handle = await openConnection(file, await modeToRead(file), busyTimeoutMs)
  try {
    await handle.exec('PRAGMA query_only = ON')
    // The version in the header may be behind the one in the log.
    const [marks] = await handle.all<{ version: number }>(
      'SELECT user_version AS version FROM pragma_user_version',
    )
    refuseNewer(file, marks?.version ?? 0)
    const found = await handle.all<{ quick_check: string }>('PRAGMA quick_check(5)')
    const faults = found.map((row) => row.quick_check).filter((line) => line !== 'ok')
    if (faults.length > 0) throw damaged(file, faults.join('; ').replaceAll('\n', ' '))
  } catch (error) {
    if (error instanceof DatabaseRefusedError || error instanceof StoreUnavailableError) throw error
    throw damaged(file, (error as Error).message, error)
  } finally {
    await handle.close()
  }
}

/**
 * How to open a file that is only read. A read-only connection leaves a log as it found it, but where there is
 * none it makes one and cannot remove it. One that may write leaves nothing behind then.
 */
export const modeToRead = (file: string): Promise<'read' | 'write'> =>
  stat(`${file}-wal`).then(
    () => 'read',
    () => 'write',
  )

/** Whether SQLite says that what it read cannot be right. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)$/.test((error as { code?: string }).code ?? '')

export const damaged = (file: string, faults: string, cause?: unknown) =>
  new DatabaseRefusedError(
    file,
    `it is damaged (${faults})`,
    'Put back a copy that is whole, or choose another file: this one was left as it is.',
    cause,
  )
