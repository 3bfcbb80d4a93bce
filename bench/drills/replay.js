// What a disk holds after a power cut, from the record that `record-writes.c` makes.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const source = new URL('record-writes.c', import.meta.url).pathname
const kinds = ['create', 'write', 'truncate', 'flush begins', 'flush ended']
const headBytes = 24
const sectorBytes = 512

/** Compiles what records. Returns the file of the library. @throws Error that says why it is impossible */
export function compileRecorder(folder) {
  const library = join(folder, 'record-writes.so')
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  if (status !== 0) throw new Error(`cc cannot compile record-writes.c: ${error?.message ?? stderr}`)
  return library
}

/** Why nothing can be recorded here; undefined where it is possible. */
export function noRecorder() {
  if (process.platform !== 'linux') return 'recording the writes of a process needs Linux'
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler'
}

/** The entries of a record. Each has the `position` at which it ends; one that is not complete is left out. */
export function parseRecord(bytes) {
  const entries = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const kind = kinds[bytes.readUInt32LE(at)]
    const nameEnd = at + headBytes + bytes.readUInt32LE(at + 4)
    const [offset, length] = [at + 8, at + 16].map((place) => bytes.readBigInt64LE(place))
    const position = nameEnd + (kind === 'write' ? Number(length) : 0)
    if (position > bytes.length) break
    const name = bytes.toString('utf8', at + headBytes, nameEnd)
    const flush = kind.startsWith('flush') && { number: length }
    const data = kind === 'write' && { data: bytes.subarray(nameEnd, position) }
    entries.push({ kind, name, offset: Number(offset), ...flush, ...data, position })
    at = position
  }
  return entries
}

/**
 * A disk on which a record is repeated. Everything of a file that was written before a flush that has ended is on it. Of what
 * came later a power cut may drop each sector of 512 bytes, each change of a length, and each new name.
 * @param initial the content of each file before the record, by name
 */
export function createDisk(initial) {
  const files = new Map()
  /** Names that may be missing after a cut. */
  const unflushed = new Set()
  const fileOf = (name) => {
    if (!files.has(name)) {
      files.set(name, { content: createContent(initial.get(name)), pending: [], flushes: new Map() })
    }
    return files.get(name)
  }
  for (const name of initial.keys()) fileOf(name)

  return {
    /** Does what the next entry of the record tells. */
    next(entry) {
      const { kind, name, number } = entry
      const file = fileOf(name)
      if (kind === 'create') unflushed.add(name)
      else if (kind === 'flush begins')
        file.flushes.set(number, { count: file.pending.length, names: [...unflushed] })
      else if (kind === 'flush ended') {
        const { count, names } = file.flushes.get(number)
        file.flushes.delete(number)
        // The entries of a folder are flushed with it.
        if (name === '') for (const flushed of names) unflushed.delete(flushed)
        for (const change of file.pending.splice(0, count)) file.content.change(change)
        // Others that are under way have less left.
        for (const other of file.flushes.values()) other.count = Math.max(0, other.count - count)
      } else file.pending.push(entry)
    },
    /**
     * The content of each file after a power cut, by name.
     * @param isKept tells of each part that may be missing whether it is there after all
     */
    cut(isKept) {
      const disk = new Map()
      for (const [name, { content, pending }] of files) {
        if (name === '' || (unflushed.has(name) && !isKept())) continue
        const left = createContent(content.bytes())
        for (const part of pending.flatMap(sectorsOf)) if (isKept()) left.change(part)
        disk.set(name, left.bytes())
      }
      return disk
    },
  }
}

/** The parts of a change of which a disk writes each at once. */
function sectorsOf(change) {
  if (change.kind === 'truncate') return [change]
  const { offset, data } = change
  const parts = []
  for (let from = offset; from < offset + data.length; ) {
    const to = Math.min(offset + data.length, from - (from % sectorBytes) + sectorBytes)
    parts.push({ kind: 'write', offset: from, data: data.subarray(from - offset, to - offset) })
    from = to
  }
  return parts
}

/** The content of a file. */
function createContent(initial = Buffer.alloc(0)) {
  let room = Buffer.from(initial)
  let length = room.length
  const setLength = (wanted) => {
    if (wanted > room.length) room = Buffer.concat([room, Buffer.alloc(wanted * 2 - room.length)])
    // What was cut off is not there when the file grows again.
    room.fill(0, Math.min(wanted, length), Math.max(wanted, length))
    length = wanted
  }
  return {
    bytes: () => room.subarray(0, length),
    change({ kind, offset, data }) {
      if (kind === 'truncate') return setLength(offset)
      if (offset + data.length > length) setLength(offset + data.length)
      data.copy(room, offset)
    },
  }
}
