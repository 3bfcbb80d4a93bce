import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../store/replace-file.js'
import { parseStateText } from '../../store/state-file.js'
import type { SnapshotStorage } from '../core/snapshots.js'
import { stateText } from './state-text.js'

/** Snapshots as state files of a folder, which is made with the first one. Names come here checked. */
export function createFolderSnapshots(folder: string): SnapshotStorage {
  const fileOf = (name: string) => join(folder, `${name}.json`)
  return {
    async list() {
      const names = await readdir(folder).catch(noneIfMissing<string[]>([]))
      return names
        .filter((name) => /^[^.].*\.json$/.test(name))
        .map((name) => name.slice(0, -'.json'.length))
        .sort()
    },
    async read(name) {
      const text = await readFile(fileOf(name), 'utf8').catch(noneIfMissing(undefined))
      return text === undefined ? undefined : parseStateText(text)
    },
    async write(name, state) {
      await mkdir(folder, { recursive: true })
      await replaceFile(fileOf(name), [stateText(state)])
    },
  }
}

const noneIfMissing =
  <None>(none: None) =>
  (error: NodeJS.ErrnoException): None => {
    if (error.code === 'ENOENT') return none
    throw error
  }
