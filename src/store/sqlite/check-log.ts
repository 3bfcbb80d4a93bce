import { statSync } from 'node:fs'
import { type FileHandle, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { withFile } from '../with-file.js'

/** A database whose log is missing or belongs to another file. */
export class LogRefusedError extends DatabaseRefusedError {}

/** How much newer than its log a file may be, in milliseconds: a checkpoint writes the file after the log. */
const maxLagMs = 60_000
/** How much later the owner or the mode of a file may change than those of its log, in milliseconds, as by `chown -R`. */
const maxChangeLagMs = 2000

/**
 * Refuses a file that is mounted into a container without its folder: its log would be lost with the container.
 * @param file without links
 */
export async function refuseLoneMount(file: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).split('\n')
  // Spaces and some other characters are written as three octal digits.
  const places = mounts.map((line) =>
    (line.split(' ')[4] ?? '').replace(/\\(\d{3})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    ),
  )
  const device = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev
  const own = device(file)
  const isAlone = places.includes(file) || (own !== undefined && own !== device(dirname(file)))
  if (!isAlone || (places.includes(`${file}-wal`) && device(`${file}-wal`) === own)) return
  throw new LogRefusedError(
    file,
    `it is mounted without its folder, so that its log ${file}-wal would be on another disk, and be lost with it`,
    `Mount the folder that has the file at ${dirname(file)}, not the file alone.`,
  )
}

/**
 * Refuses a file beside a log of another file, such as a backup that was copied over the database of a killed process: SQLite
 * would apply the log to it.
 * @param file without links
 */
export async function refuseForeignLog(file: string): Promise<void> {
  const [own, log] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }))
  if (!own || own.size === 0 || !log || log.size <= walHeaderBytes) return
  // `cp -p` sets the time of the content, and never that of the change.
  const [newerBy, changedLaterBy] = [own.mtimeMs - log.mtimeMs, own.ctimeMs - log.ctimeMs]
  const isNewer = (await isBeforeCheckpoint(file))
    ? newerBy > 0 || changedLaterBy > maxChangeLagMs
    : Math.max(newerBy, changedLaterBy) > maxLagMs
  if (!isNewer && !(await hasNewerSchema(file))) return
  throw new LogRefusedError(
    file,
    `the log ${file}-wal is older than the file: it was left by another one, and would overwrite it`,
    `If the file is a backup, remove ${file}-wal and ${file}-shm, or use "database restore". If the log is its own, run: touch ${file}-wal`,
  )
}

// https://sqlite.org/walformat.html#walidxfmt
const index = { bytes: 132, mxFrame: 16, nBackfillAttempted: 128 }

/** Whether no checkpoint has written the file since the first frame of its log, by the index that a killed process left. */
async function isBeforeCheckpoint(file: string): Promise<boolean> {
  const { size = 0 } = statSync(`${file}-shm`, { throwIfNoEntry: false }) ?? {}
  if (size < index.bytes) return false
  // The byte order is that of the machine, which does not matter to a comparison with 0.
  return withFile(`${file}-shm`, 'r', async (handle) => {
    const isZero = async (at: number) => (await readWord(handle, at)) === 0
    return !(await isZero(index.mxFrame)) && isZero(index.nBackfillAttempted)
  })
}

// https://sqlite.org/fileformat2.html#the_write_ahead_log
const walHeaderBytes = 32
const frameHeaderBytes = 24
/** The position of the schema cookie in the header of the file. VACUUM, and so a backup, increments it. */
const cookieOffset = 40

/** Whether the schema cookie of a file is greater than any in its log, so that the log is older. */
async function hasNewerSchema(file: string): Promise<boolean> {
  const own = await withFile(file, 'r', (handle) => readWord(handle, cookieOffset))
  return withFile(`${file}-wal`, 'r', async (log) => {
    const pageBytes = await readWord(log, 8)
    const [salt1, salt2] = [await readWord(log, 16), await readWord(log, 20)]
    const cookies: number[] = []
    const frame = Buffer.alloc(frameHeaderBytes)
    for (let at = walHeaderBytes; ; at += frameHeaderBytes + pageBytes) {
      const { bytesRead } = await log.read(frame, 0, frameHeaderBytes, at)
      // After a restart of the log, frames with other salts are outdated.
      const isOfLog = frame.readUInt32BE(8) === salt1 && frame.readUInt32BE(12) === salt2
      if (bytesRead < frameHeaderBytes || !isOfLog) break
      if (frame.readUInt32BE(0) === 1) cookies.push(await readWord(log, at + frameHeaderBytes + cookieOffset))
    }
    return cookies.length > 0 && own > Math.max(...cookies)
  })
}

const readWord = async (handle: FileHandle, at: number): Promise<number> =>
  (await handle.read(Buffer.alloc(4), 0, 4, at)).buffer.readUInt32BE(0)
