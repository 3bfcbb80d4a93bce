import { type FileHandle, open } from 'node:fs/promises'
import { closeAfterUse } from './close-after-use.js'

/** Opens a file or a folder, uses it, and closes it. A new file is readable by its owner alone. */
export const withFile = async <T>(
  path: string,
  flags: string,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> => closeAfterUse(await open(path, flags, 0o600), use)

/** Flushes the entries of a folder to the disk, so that a rename survives a power failure. Not every platform can. */
export const flushFolder = (folder: string): Promise<void> =>
  withFile(folder, 'r', (handle) => handle.sync()).catch(() => {})
