import { stat } from 'node:fs/promises'

/** Which file a path leads to, and which write-ahead log lies beside it: names do not say, inodes do. */
export type FileIdentity = { file: string; log: string | undefined }

/** What is at a path now; undefined where there is no file, or none that can be looked at. */
export async function identify(path: string): Promise<FileIdentity | undefined> {
  const [file, log] = await Promise.all([inodeOf(path), inodeOf(`${path}-wal`)])
  return file === undefined ? undefined : { file, log }
}

export const isSame = (a: FileIdentity | undefined, b: FileIdentity): boolean =>
  a?.file === b.file && a.log === b.log

const inodeOf = (path: string): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  )
