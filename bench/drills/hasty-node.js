// A node with a defect, for the control of `drain.js`: when it stops, it closes the listening socket and idle connections at
// once, as Fastify and Node do by themselves.
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createApp } from '../../dist/server/app.js'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { readSettings } from '../../dist/server/settings/settings.js'
import { openStore } from '../../dist/store/open/open-store.js'

const { values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, json: { type: 'boolean' } },
})
const settings = readSettings(process.env, { port: values.port })
const store = await openStore(settings.database, { timeoutMs: settings.databaseTimeout })
const app = createApp({
  store,
  cookies: createSessionCookies(settings.sessionSecret),
  idleMs: settings.sessionIdle,
  now: () => new Date(),
  newId: randomUUID,
})
const url = await app.listen({ host: settings.host, port: settings.port })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', async () => {
  await app.close()
  await store.close()
})
