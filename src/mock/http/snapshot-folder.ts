import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseStateText } from '../../store/parse-state-text.js'
import { replaceFile } from '../../store/replace-file.js'
import type { SnapshotStorage } from '../core/snapshots.js'
import { stateText } from './state-text.js'

/** Stores snapshots as state files in a folder, which the first one creates. The caller has validated the names. */
export function createFolderSnapshots(folder: string): SnapshotStorage {
  const fileOf = (name: string) => join(folder, `${name}.json`)
  return {
    async list() {
      const names = await readdir(folder).catch(ifMissing<string[]>([]))
      return names
        .filter((name) => /^[^.].*\.json$/.test(name))
        .map((name) => name.slice(0, -'.json'.length))
        .sort()
    },
    async read(name) {
      const text = await readFile(fileOf(name), 'utf8').catch(ifMissing(undefined))
      return text === undefined ? undefined : parseStateText(text)
    },
    async write(name, state) {
      await mkdir(folder, { recursive: true })
      await replaceFile(fileOf(name), [stateText(state)])
    },
    delete: (name) => rm(fileOf(name)).then(() => true, ifMissing(false)),
  }
}

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }
