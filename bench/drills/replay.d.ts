export type Entry = {
  kind: 'create' | 'write' | 'truncate' | 'flush begins' | 'flush ended'
  name: string
  offset: number
  number?: bigint
  data?: Buffer
  position: number
}

/** Compiles what records. Returns the file of the library. */
export function compileRecorder(folder: string): string
/** Why nothing can be recorded here; undefined where it is possible. */
export function noRecorder(): string | undefined
/** The entries of a record. */
export function parseRecord(bytes: Buffer): Entry[]
/** A disk on which a record is repeated. */
export function createDisk(initial: Map<string, Buffer>): {
  next(entry: Entry): void
  cut(isKept: () => boolean): Map<string, Buffer>
}
