// Replicates a database as Litestream does: node wal-replica.js DATABASE REPLICA
// It creates the tables _litestream_seq and _litestream_lock, holds a read transaction so that no other process can begin
// the write-ahead log again, copies the log's frames, and makes the checkpoints itself. Prints a line of JSON after each
// copy of the file and each checkpoint. When its standard input ends, it writes the replica and prints what it counted.
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import sqlite3 from 'sqlite3'

const [database, replica] = process.argv.slice(2)
/** Litestream: a second. */
const syncMs = 10
/** Litestream: 1000, as SQLite. With more, the other process always tries its checkpoint first. */
const checkpointPages = 1100
const headerBytes = 32
const frameHeaderBytes = 24

async function connect() {
  const db = new sqlite3.Database(database, sqlite3.OPEN_READWRITE)
  const run = promisify(db.exec.bind(db))
  await run('PRAGMA busy_timeout = 1000; PRAGMA wal_autocheckpoint = 0')
  return { run, all: promisify(db.all.bind(db)) }
}

const [reader, writer, checkpointer] = await Promise.all([connect(), connect(), connect()])
const pages = new Map()
const counts = { snapshots: 0, checkpoints: 0, restarts: 0, frames: 0 }
let pageSize = 0
/** Of the log that is copied: its header, the offset of the next frame, and the checksum before it. */
let header = Buffer.alloc(0)
let offset = headerBytes
let sums = [0, 0]
/** In pages, as of the last commit. */
let size = 0

const acquireReadLock = () => reader.run('BEGIN; SELECT count(1) FROM _litestream_seq')
const releaseReadLock = () => reader.run('ROLLBACK')
const bumpSequence = () =>
  writer.run(
    'INSERT INTO _litestream_seq (id, seq) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1',
  )

/** https://sqlite.org/walformat.html#checksum_algorithm, for logs of little-endian machines. */
function checksum([s0, s1], bytes) {
  for (let i = 0; i < bytes.length; i += 8) {
    s0 = (s0 + bytes.readUInt32LE(i) + s1) >>> 0
    s1 = (s1 + bytes.readUInt32LE(i + 4) + s0) >>> 0
  }
  return [s0, s1]
}

function readAt(fd, position, length) {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}

/** Begins with the first frame of the log. */
function beginLog(fd) {
  header = readAt(fd, 0, headerBytes)
  offset = headerBytes
  sums = checksum([0, 0], header.subarray(0, 24))
}

/** Copies the frames of all commits that are in the log. */
function sync() {
  const fd = openSync(`${database}-wal`, 'r')
  try {
    if (!readAt(fd, 0, headerBytes).equals(header)) {
      // Frames that were not copied are lost: Litestream begins again with a copy of the file.
      if (header.length > 0) takeSnapshot()
      beginLog(fd)
    }
    let pending = []
    let position = offset
    let running = sums
    for (;;) {
      const frame = readAt(fd, position, frameHeaderBytes + pageSize)
      if (frame.length < frameHeaderBytes + pageSize) return
      if (!frame.subarray(8, 16).equals(header.subarray(16, 24))) return
      running = checksum(checksum(running, frame.subarray(0, 8)), frame.subarray(frameHeaderBytes))
      if (running[0] !== frame.readUInt32BE(16) || running[1] !== frame.readUInt32BE(20)) return
      pending.push([frame.readUInt32BE(0), frame.subarray(frameHeaderBytes)])
      position += frame.length
      const sizeAfterCommit = frame.readUInt32BE(4)
      if (sizeAfterCommit === 0) continue
      for (const [number, page] of pending) pages.set(number, page)
      counts.frames += pending.length
      ;[size, offset, sums, pending] = [sizeAfterCommit, position, running, []]
    }
  } finally {
    closeSync(fd)
  }
}

function takeSnapshot() {
  counts.snapshots += 1
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  const file = readFileSync(database)
  for (let i = 0; i * pageSize < file.length; i += 1) {
    pages.set(i + 1, file.subarray(i * pageSize, (i + 1) * pageSize))
  }
  size = file.length / pageSize
}

/** Nothing can be written between the last copy and the checkpoint: the lock table takes the write lock. */
async function checkpoint() {
  sync()
  await writer.run('BEGIN; INSERT INTO _litestream_lock (id) VALUES (1)')
  sync()
  await releaseReadLock()
  await checkpointer.all('PRAGMA wal_checkpoint(PASSIVE)')
  await acquireReadLock()
  await writer.run('ROLLBACK')
  await bumpSequence()
  const fd = openSync(`${database}-wal`, 'r')
  if (!readAt(fd, 0, headerBytes).equals(header)) {
    counts.restarts += 1
    beginLog(fd)
  }
  closeSync(fd)
  sync()
  counts.checkpoints += 1
  process.stdout.write(`${JSON.stringify(counts)}\n`)
}

await writer.run(
  `PRAGMA journal_mode = wal;
   CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
   CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);`,
)
await acquireReadLock()
await bumpSequence()
;[{ page_size: pageSize }] = await checkpointer.all('PRAGMA page_size')
takeSnapshot()
sync()

let isEnding = false
process.stdin.resume().once('end', () => {
  isEnding = true
})
while (!isEnding) {
  await setTimeout(syncMs)
  sync()
  if (offset > headerBytes + checkpointPages * (frameHeaderBytes + pageSize)) await checkpoint()
}
sync()
const content = Array.from({ length: size }, (_, i) => pages.get(i + 1) ?? Buffer.alloc(pageSize))
writeFileSync(replica, Buffer.concat(content))
process.stdout.write(`${JSON.stringify({ ...counts, size })}\n`)
process.exit()
