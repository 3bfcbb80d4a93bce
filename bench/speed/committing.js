// Another process that commits again and again, so that whatever is kept of the database grows old.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openSqliteStore } from '../../dist/store/sqlite-store.js'
import { projectOf } from './world.js'

/** Commits to a database of `world.js` 20 times a second from another process, until the returned function is called. */
export async function committing(database) {
  const child = fork(new URL(import.meta.url), [database])
  await once(child, 'message')
  return () => child.kill()
}

if (process.send !== undefined && process.argv[1] === new URL(import.meta.url).pathname) {
  const store = await openSqliteStore(process.argv[2])
  const { teamId, id } = projectOf(0, 0)
  let serial = 0
  setInterval(() => {
    serial += 1
    void store.updateProject(teamId, id, { status: serial % 2 ? 'paused' : 'active' })
  }, 50)
  process.send('ready')
}
