import { shown } from '../../contract/shown.js'
import type { State } from '../../store/state-file.js'
import { ControlError } from './control-error.js'

/** Stores snapshots by name. */
export type SnapshotStorage = {
  /** The names, sorted. */
  list(): Promise<string[]>
  /** Returns undefined if there is no such snapshot. @throws StateError if it is invalid */
  read(name: string): Promise<State | undefined>
  /** Writes a snapshot atomically, replacing one of the same name. */
  write(name: string, state: State): Promise<void>
  /** Returns whether the snapshot existed. */
  delete(name: string): Promise<boolean>
}

/** Snapshots that last as long as the mock. */
export function createMemorySnapshots(): SnapshotStorage {
  const snapshots = new Map<string, State>()
  return {
    list: async () => [...snapshots.keys()].sort(),
    read: async (name) => snapshots.get(name),
    async write(name, state) {
      snapshots.set(name, state)
    },
    delete: async (name) => snapshots.delete(name),
  }
}

/** Accepts names that are valid file names on every system and cannot leave the folder. */
export function checkSnapshotName(name: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(name)) {
    throw new ControlError(
      `${shown(name)} is not a snapshot name: use 1 to 64 of A-Z a-z 0-9 . _ - , no dot first.`,
    )
  }
}
