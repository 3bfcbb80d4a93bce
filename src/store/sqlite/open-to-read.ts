import { accessSync, constants, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { closeAfter } from '../close-after.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { StoreUnavailableError } from '../store.js'
import { withFile } from '../with-file.js'
import { type Connection, openConnection } from './connection.js'
import { followLinks } from './follow-links.js'

/**
 * Opens a file that is only read, and of which no more than the right to read is needed. Nothing is changed or created,
 * but for a log that is removed again where this user may write.
 *
 * In WAL mode SQLite reads through a log and its index, which it creates where they are missing. Without the right to
 * write, a file without a log is read as it is: no process has it open then. Closing fails where one changed it meanwhile.
 * @throws DatabaseRefusedError where the log is there and cannot be read
 */
export async function openToRead(path: string, busyTimeoutMs: number): Promise<Connection> {
  const file = followLinks(path)
  const mode = await modeToRead(file)
  const before = mode === 'immutable' ? await lastChange(file) : undefined
  const connection = await openConnection(file, mode, busyTimeoutMs)
  try {
    await connection.exec('PRAGMA query_only = ON')
    await connection.all('SELECT count(*) FROM sqlite_schema')
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY') {
      await connection.close()
      throw logRefused(file, code, error)
    }
    // What is damaged is reported by the caller's own statements.
  }
  if (before === undefined) return connection
  return {
    ...connection,
    async close() {
      await connection.close()
      if ((await lastChange(file)) !== before) {
        throw new StoreUnavailableError(`The database ${file} was changed while it was read`)
      }
    },
  }
}

/** Opens a file like `openToRead`, reads it, and closes it. */
export const withReader = async <T>(
  file: string,
  busyTimeoutMs: number,
  read: (connection: Connection) => Promise<T>,
): Promise<T> => closeAfter(await openToRead(file, busyTimeoutMs), read)

async function modeToRead(file: string): Promise<'read' | 'write' | 'immutable'> {
  // A read-only connection leaves an existing log unchanged. Where there is none it creates one and cannot remove it.
  if (existsSync(`${file}-wal`)) return 'read'
  if ([file, dirname(file)].every(isWritable)) return 'write'
  return (await isInWalMode(file)) ? 'immutable' : 'read'
}

/** A text that each change of a file, or another file in its place, replaces by another one. */
const lastChange = (file: string): Promise<string | undefined> =>
  stat(file, { bigint: true }).then(
    ({ ino, size, mtimeNs, ctimeNs }) => [ino, size, mtimeNs, ctimeNs].join(' '),
    () => undefined,
  )

/** Byte 18 of the header: https://sqlite.org/fileformat2.html#file_format_version_numbers */
const isInWalMode = (file: string): Promise<boolean> =>
  withFile(file, 'r', async (handle) => {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 18)
    return buffer[0] === 2
  })

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const logRefused = (file: string, code: string, cause: unknown) =>
  new DatabaseRefusedError(
    file,
    `its log cannot be read (${code})`,
    `Allow this user to read ${file}-wal and ${file}-shm. If no process has the database open, one ended without closing it: open it once with the right to write.`,
    cause,
  )
