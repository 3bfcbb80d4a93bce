import { type FileHandle, open } from 'node:fs/promises'

/** Opens a file or a folder, uses it, and closes it. A new file is readable by its owner alone. */
export async function withFile<T>(
  path: string,
  flags: string,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await open(path, flags, 0o600)
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/** Flushes the entries of a folder to the disk, so that a rename survives a power failure. Not every platform can. */
export const flushFolder = (folder: string): Promise<void> =>
  withFile(folder, 'r', (handle) => handle.sync()).catch(() => {})
