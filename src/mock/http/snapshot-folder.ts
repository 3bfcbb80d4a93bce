import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseStateText } from '../../store/parse-state-text.js'
import { replaceFile } from '../../store/replace-file.js'
import { ControlError } from '../state/control-error.js'
import type { SnapshotStorage } from '../state/snapshots.js'
import { stateText } from './state-text.js'

/** Stores snapshots as state files in a folder, which the first one creates. The caller has validated the names. */
export function createFolderSnapshots(folder: string): SnapshotStorage {
  const fileOf = (name: string) => join(folder, `${name}.json`)
  /** Reports a fault of the disk to the caller who saves a snapshot. */
  const explain = (error: NodeJS.ErrnoException): never => {
    if (error.code === undefined) throw error
    throw new ControlError(`The snapshots in ${folder} cannot be used: ${error.message}.`, [], 503)
  }
  return {
    async list() {
      const names = await readdir(folder).catch(ifMissing<string[]>([])).catch(explain)
      return names
        .filter((name) => /^[^.].*\.json$/.test(name))
        .map((name) => name.slice(0, -'.json'.length))
        .sort()
    },
    async read(name) {
      const text = await readFile(fileOf(name), 'utf8').catch(ifMissing(undefined)).catch(explain)
      return text === undefined ? undefined : parseStateText(text)
    },
    async write(name, state) {
      await mkdir(folder, { recursive: true }).catch(explain)
      await replaceFile(fileOf(name), [stateText(state)]).catch(explain)
    },
    delete: (name) =>
      rm(fileOf(name))
        .then(() => true, ifMissing(false))
        .catch(explain),
  }
}

const ifMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
  }
