// A node with a defect, for the controls of drills: $DRILL_DEFECT names it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../dist/server/app.js'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { readSettings } from '../../dist/server/settings/settings.js'
import { openStore } from '../../dist/store/open/open-store.js'

const settings = readSettings(process.env, {})
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

/** The options of `createApp` that make each defect. */
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
  /** Takes two milliseconds more for an id that exists. */
  slowForeign: () => ({
    store: {
      ...store,
      async updateProject(teamId, id, changes, limits) {
        if (await ownerOf(id)) await sleep(2)
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
  /** Judges sessions by the time at which it started. */
  stoppedClock: () => ({ now: () => started }),
}

const app = createApp({
  store,
  cookies,
  idleMs: settings.sessionIdle,
  now: () => new Date(),
  newId: randomUUID,
  ...defects[process.env.DRILL_DEFECT](),
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', async () => {
  app.server.closeAllConnections()
  await app.close()
  await store.close()
})
