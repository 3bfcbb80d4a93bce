// Another process that commits continuously, so that cached responses become stale.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { nameFor } from './commit-number.js'
import { projectOf } from './dataset.js'
import { pin } from './processes.js'

const intervalMs = 50

/**
 * Commits to a database of `dataset.js` 20 times a second from another process. Each commit renames the first project of
 * the next `perCommit` teams to the number of the commit (`commit-number.js`).
 * @param onCommit is called with the number of each commit
 * @returns a function that stops it, after the first commit
 */
export async function startCommits({ database, teams = 1, perCommit = teams, onCommit = () => {} }) {
  const child = pin(fork(new URL(import.meta.url), [database, teams, perCommit]), 1)
  child.on('message', onCommit)
  await once(child, 'message')
  return () => child.kill()
}

function update(database, name, ids) {
  const sql = `UPDATE projects SET name = ?1, name_key = lower(?1)
    WHERE id IN (SELECT value FROM json_each(?2))`
  return new Promise((resolve, reject) => {
    database.run(sql, name, JSON.stringify(ids), (error) => (error ? reject(error) : resolve()))
  })
}

if (process.send !== undefined && process.argv[1] === new URL(import.meta.url).pathname) {
  const [file, ...counts] = process.argv.slice(2)
  const [teams, perCommit] = counts.map(Number)
  const database = new sqlite3.Database(file, sqlite3.OPEN_READWRITE)
  database.configure('busyTimeout', 5_000)
  database.run('PRAGMA synchronous = FULL')
  for (let number = 1; ; number++) {
    const next = performance.now() + intervalMs
    const ids = Array.from({ length: perCommit }, (_, i) => projectOf((number * perCommit + i) % teams, 0).id)
    await update(database, nameFor(number), ids)
    process.send(number)
    await setTimeout(next - performance.now())
  }
}
