import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { flushFolder, withFile } from './with-file.js'

/**
 * Replaces a file atomically: writes a temporary file beside it, flushes it to the disk, and renames it. After a failure the
 * old file is unchanged and the temporary one is removed. A new file is readable by its owner alone; an existing one keeps
 * its mode.
 * @param chunks the text, in pieces
 * @throws the file system's error; EISDIR if the path is not a file
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
  await flushFolder(folder)
}

const writeFlushed = (file: string, chunks: Iterable<string> | AsyncIterable<string>, mode: number) =>
  withFile(file, 'wx', async (handle) => {
    await handle.chmod(mode)
    for await (const chunk of chunks) await handle.writeFile(chunk)
    await handle.sync()
  })
