// A node with a defect, for the controls of `killed-writers.js`: it acknowledges a creation, and commits it later.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createApp } from '../../dist/server/app.js'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { readSettings } from '../../dist/server/settings/settings.js'
import { openStore } from '../../dist/store/open/open-store.js'

/** How much later, in ms. */
const lateMs = 50

const { values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, json: { type: 'boolean' } },
})
const settings = readSettings(process.env, { port: values.port })
const store = await openStore(settings.database, { timeoutMs: settings.databaseTimeout })
const app = createApp({
  store: {
    ...store,
    async addProject(...project) {
      setTimeout(() => store.addProject(...project), lateMs)
    },
  },
  cookies: createSessionCookies(settings.sessionSecret),
  idleMs: settings.sessionIdle,
  now: () => new Date(),
  newId: randomUUID,
})
const url = await app.listen({ host: settings.host, port: settings.port })
console.log(JSON.stringify({ url }))
