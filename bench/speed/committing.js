// Another process that commits again and again, so that whatever is kept of the database grows old.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { openConnection } from '../../dist/store/sqlite/connection.js'
import { pin } from './processes.js'
import { nameOf } from './serial.js'
import { projectOf } from './world.js'

const everyMs = 50

/**
 * Commits to a database of `world.js` 20 times a second from another process: the first project of each team gets the
 * commit's number as its name (`serial.js`), or of some teams, the next ones with each commit.
 * @param onCommit told of the number of each commit that was made
 * @returns once the first was made, a function that ends it
 */
export async function committing({ database, teams = 1, perCommit = teams, onCommit = () => {} }) {
  const child = pin(fork(new URL(import.meta.url), [database, teams, perCommit]), 1)
  child.on('message', onCommit)
  await once(child, 'message')
  return () => child.kill()
}

if (process.send !== undefined && process.argv[1] === new URL(import.meta.url).pathname) {
  const [database, ...counts] = process.argv.slice(2)
  const [teams, perCommit] = counts.map(Number)
  const handle = await openConnection(database, 'write', 5_000)
  const update = `UPDATE projects SET name = ?1, name_key = lower(?1)
    WHERE id IN (SELECT value FROM json_each(?2))`
  for (let serial = 1; ; serial++) {
    const next = performance.now() + everyMs
    const ids = Array.from({ length: perCommit }, (_, i) => projectOf((serial * perCommit + i) % teams, 0).id)
    await handle.run(update, nameOf(serial), JSON.stringify(ids))
    process.send(serial)
    await setTimeout(next - performance.now())
  }
}
