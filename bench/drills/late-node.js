// A node with a defect, for the control of `stale.js`: it does not ask again what changed for 50 ms.
import { randomUUID } from 'node:crypto'
import { createApp } from '../../dist/server/app.js'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { readSettings } from '../../dist/server/settings/settings.js'
import { openStore } from '../../dist/store/open/open-store.js'

const lateMs = 50
const settings = readSettings(process.env, {})
const store = await openStore(settings.database, { timeoutMs: settings.databaseTimeout })

let last
let readAt
const changes = {
  async since(cursor) {
    if (last !== undefined && performance.now() - readAt < lateMs) return { cursor: last.cursor, teams: [] }
    last = await store.changes.since(cursor)
    readAt = performance.now()
    return last
  },
}
const app = createApp({
  store,
  changes,
  cookies: createSessionCookies(settings.sessionSecret),
  idleMs: settings.sessionIdle,
  now: () => new Date(),
  newId: randomUUID,
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', async () => {
  app.server.closeAllConnections()
  await app.close()
  await store.close()
})
