import type { State } from '../../store/state-file.js'

/** Where snapshots are kept, by name. */
export type SnapshotPlace = {
  /** The names, in order. */
  list(): Promise<string[]>
  /** The state of this name; undefined where there is none. @throws StateError where it is not valid */
  read(name: string): Promise<State | undefined>
  /** Keeps a state, whole or not at all, over what had this name. */
  write(name: string, state: State): Promise<void>
}

/** Snapshots that last as long as the mock. */
export function snapshotsInMemory(): SnapshotPlace {
  const kept = new Map<string, State>()
  return {
    list: async () => [...kept.keys()].sort(),
    read: async (name) => kept.get(name),
    async write(name, state) {
      kept.set(name, state)
    },
  }
}
