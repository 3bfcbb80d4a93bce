import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure, UserError } from '../user-error.js'

/**
 * Writes a file whole or not at all: to a new file beside it, flushed to the disk, then renamed over it. On a
 * failure the old file is as it was and the new one is gone. A new file is readable by its owner alone; an old
 * one keeps its mode.
 * @param chunks the text, in the pieces in which it is made
 * @throws UserError for a place that cannot be written, Failure for anything else of the file system
 */
export async function writeWhole(file: string, chunks: Iterable<string>): Promise<void> {
  try {
    await replace(await realpath(file).catch(() => file), chunks)
  } catch (error) {
    throw writeFailure(file, error)
  }
}

async function replace(target: string, chunks: Iterable<string>): Promise<void> {
  const old = await stat(target).catch(() => undefined)
  if (old && !old.isFile()) {
    throw new UserError(`${target} is not a file.`, 'Name a file, or leave --output out to write to stdout.')
  }
  const folder = dirname(target)
  const temporary = join(folder, `.${basename(target)}.${randomUUID()}.tmp`)
  try {
    await writeFlushed(temporary, chunks, old ? old.mode & 0o777 : 0o600)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  // So that the rename outlasts a power cut too; not every platform can flush a folder.
  await withFile(folder, 'r', (handle) => handle.sync()).catch(() => {})
}

const writeFlushed = (file: string, chunks: Iterable<string>, mode: number) =>
  withFile(file, 'wx', async (handle) => {
    await handle.chmod(mode)
    for (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  })

async function withFile(file: string, flags: string, act: (handle: FileHandle) => Promise<void>) {
  const handle = await open(file, flags, 0o600)
  try {
    await act(handle)
  } finally {
    await handle.close()
  }
}

const mistakes: Record<string, string> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

function writeFailure(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const mistake = mistakes[code]
  if (mistake) return new UserError(`${file} cannot be written: ${mistake}.`, 'Choose another --output.')
  return new Failure(`${file} could not be written and is as it was: ${message}`)
}
