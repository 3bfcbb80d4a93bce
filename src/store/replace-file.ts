import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all: to a new file beside it, flushed to the disk, then renamed over it. On a
 * failure the old file is as it was and the new one is gone. A new file is readable by its owner alone; an old
 * one keeps its mode.
 * @param chunks the text, in the pieces in which it is made
 * @throws what the file system met; EISDIR for anything that is there and is no file
 */
export async function replaceFile(
  file: string,
  chunks: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const old = await stat(target).catch(() => undefined)
  if (old && !old.isFile()) throw Object.assign(new Error(`${target} is not a file.`), { code: 'EISDIR' })

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

const writeFlushed = (file: string, chunks: Iterable<string> | AsyncIterable<string>, mode: number) =>
  withFile(file, 'wx', async (handle) => {
    await handle.chmod(mode)
    for await (const chunk of chunks) await handle.writeFile(chunk)
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
