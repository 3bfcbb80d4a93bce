import type { State } from '../../store/state-file.js'

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
