// A node with a defect, for the controls of drills: $DRILL_DEFECT names it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
const cookies = createSessionCookies(settings.sessionSecret)
const started = new Date()

const lateMs = 50
/** Asks again what changed after 50 ms only. */
function lateChanges() {
  let last
  let readAt
  return {
    async since(cursor) {
      if (last !== undefined && performance.now() - readAt < lateMs) return { cursor: last.cursor, teams: [] }
      last = await store.changes.since(cursor)
      readAt = performance.now()
      return last
    },
  }
}

/** The team whose project an id is. */
async function ownerOf(id) {
  for (const team of await store.listTeams()) if (await store.project(team.id, id)) return team.id
  return undefined
}

let updates = 0

/** The options of `createApp` that make each defect; `endsConnections`, whether a stop ends connections in use too. */
const defects = {
  late: () => ({ changes: lateChanges() }),
  /** Acknowledges one update in 20 without making it. */
  lostUpdate: () => ({
    store: {
      ...store,
      async updateProject(teamId, id, changes, limits) {
        updates += 1
        if (updates % 20 > 0) return store.updateProject(teamId, id, changes, limits)
        const project = await store.project(teamId, id)
        return project && { ...project, ...changes }
      },
    },
  }),
  /** Updates a project by its id alone. */
  foreignUpdate: () => ({
    store: {
      ...store,
      async updateProject(teamId, id, changes, limits) {
        return store.updateProject((await ownerOf(id)) ?? teamId, id, changes, limits)
      },
    },
  }),
  /** Takes four milliseconds more for an id that exists. */
  slowForeign: () => ({
    store: {
      ...store,
      async updateProject(teamId, id, changes, limits) {
        if (await ownerOf(id)) await sleep(4)
        return store.updateProject(teamId, id, changes, limits)
      },
    },
  }),
  /** Does not check the signature of cookies. */
  unsigned: () => ({
    cookies: {
      ...cookies,
      verify: (text) => {
        try {
          return JSON.parse(Buffer.from(text.split('.')[1], 'base64url').toString())
        } catch {
          return undefined
        }
      },
    },
  }),
  /** Acknowledges a creation, and commits it later. */
  early: () => ({
    store: {
      ...store,
      async addProject(...project) {
        setTimeout(() => store.addProject(...project), lateMs)
      },
    },
  }),
  /** Closes the listening socket and idle connections at once when it stops, as Fastify and Node do by themselves. */
  hasty: () => ({ endsConnections: false }),
  /** Judges sessions by the time at which it started. */
  stoppedClock: () => ({ now: () => started }),
}

const { endsConnections = true, ...options } = defects[process.env.DRILL_DEFECT]()
const app = createApp({
  store,
  cookies,
  idleMs: settings.sessionIdle,
  now: () => new Date(),
  newId: randomUUID,
  ...options,
})
const url = await app.listen({ host: settings.host, port: settings.port })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', async () => {
  if (endsConnections) app.server.closeAllConnections()
  await app.close()
  await store.close()
})
