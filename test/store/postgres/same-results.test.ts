import { expect, test } from 'vitest'
import { createRandom } from '../../../bench/fuzz/random.js'
import { nameKey } from '../../../src/contract/project-name.js'
import { StateError } from '../../../src/store/state-file.js'
import type { Store } from '../../../src/store/store.js'
import { createMemoryStore } from '../memory/full-memory-store.js'
import { folderForEachTest } from '../sqlite/sqlite-folder.js'
import { state } from '../store-suite/records.js'
import { databaseForEachTest, noPostgres } from './postgres-database.js'

const folder = folderForEachTest()
const { openStore } = databaseForEachTest()

const { pick, chance, below } = createRandom(1)
const id = () => pick(['a', 'b', 'B', '_', '10', '9', 'Z:', 'x@y'])
const orgCode = () => pick(['o1', 'o2', 'O1', 'ö'])
// What databases compare or search in their own way: case, marks, wildcards, quotes, characters of four bytes.
const text = () =>
  pick([
    'A',
    'a',
    'ä',
    'Ä',
    'straße',
    'STRASSE',
    'a\u0301',
    '\u{1f600}',
    '\ufffd',
    'z%_',
    '\\',
    '"',
    "'",
    ' ',
    'İ',
    'οδος',
  ])
const email = () =>
  pick(['a@x', 'b@x', 'ä@x', 'z%@x', '_@x', '\u{1f600}@x', '\uff41@x', 'aa@x', 'ß@x', 'i̇@x'])
const time = () =>
  pick(['2025-01-01', '2026-01-01', '2026-02-01']) + pick(['T00:00:00.000Z', 'T00:00:00.001Z'])
const sid = () => pick(['1', '2'])
const key = () => pick(['k1', 'k2', 'k3', 'k4', 'k5', 'k6'])
const sometimes = <Value>(value: Value) => (chance(0.5) ? value : undefined)

const identity = () => ({ issuer: pick(['i', 'j']), subject: pick(['s', 't', 'S']) })
const user = () => ({
  id: id(),
  email: pick(['A@x', email()]),
  givenName: text(),
  familyName: '',
  picture: text(),
})
const team = () => ({ id: id(), name: text(), orgCode: orgCode() })
const entry = () => ({ email: email(), createdAt: time() })
/** The id of a project is unique within its team. */
const inTeam = (teamId = id()) => ({ teamId, id: `${teamId}${id()}` })
const limits = () =>
  sometimes(
    pick([
      { projects: 3, bytes: 60 },
      { projects: 100, bytes: 30 },
    ]),
  )
const filter = () => ({
  search: sometimes(pick(['a', '%', '_', 'ä', '\u{1f600}', ''])),
  since: sometimes(time()),
  until: sometimes(time()),
})

/** Calls with random arguments. */
const calls: { [Method in keyof Store]?: () => Parameters<Store[Method]> } = {
  teamOfOrganization: () => [orgCode()],
  team: () => [id()],
  listTeams: () => [],
  addTeam: () => [team()],
  renameTeam: () => [id(), text()],
  listProjects: () => [id()],
  listProjectNames: () => [id()],
  teamSize: () => [id()],
  project: () => {
    const found = inTeam()
    return [found.teamId, found.id]
  },
  addProject() {
    const name = text()
    const description = pick([null, '', text()])
    const project = { ...inTeam(), name, description, status: 'active', createdAt: time() }
    return [project, limits(), sometimes(nameKey(name))]
  },
  updateProject() {
    const found = inTeam()
    const name = sometimes(text())
    const others = pick([{}, { status: 'done' }, { description: text() }])
    const changes = { ...(name !== undefined && { name }), ...others }
    return [found.teamId, found.id, changes, limits(), name && nameKey(name)]
  },
  addToWaitlist: () => [entry()],
  waitlistAfter: () => [sometimes(entry()), 1 + below(4), filter()],
  countWaitlist: () => [filter()],
  user: () => [id()],
  usersWithEmail: () => [email().toUpperCase()],
  usersAfter: () => [sometimes(id()), 1 + below(4)],
  addUser: () => [user()],
  upsertUser: () => [identity(), user()],
  session: () => [id()],
  caller: () => [id()],
  listSessions: () => [],
  addSession: () => [
    {
      ...{
        id: id(),
        userId: id(),
        permissions: pick([[], ['p'], ['p', 'ü']]),
        orgCode: sometimes(orgCode()),
      },
      ...{ role: sometimes(text()), note: sometimes(text()), sid: sometimes(sid()) },
      ...{ createdAt: sometimes(time()), expiresAt: sometimes(time()), revokedAt: sometimes(time()) },
    },
    undefined,
    sometimes({ keys: [key(), key()], until: time() }),
  ],
  touchSession: () => [id(), time()],
  revokeSession: () => [id(), time()],
  revokeSessionsOfUser: () => [id(), time()],
  revokeSessionsOfOrganization: () => [orgCode(), time()],
  revokeSessionsOfProvider() {
    const { issuer, subject } = identity()
    const ended = sometimes({ keys: [key()], until: time() })
    const of = { issuer, subject: sometimes(subject), sid: sometimes(sid()) }
    return [{ ...of, key: key(), expiresAt: time(), ended }, time()]
  },
  load: () => [
    state({
      teams: chance(0.5) ? [team()] : [],
      users: [{ ...user(), ...sometimes(identity()) }],
      waitlist: [entry()],
    }),
  ],
  remove: () => [
    pick([
      { projects: [inTeam()], waitlist: [email(), email()] },
      { projects: [inTeam()], users: [id()] },
      { teams: [id()], projects: [inTeam()] },
    ]),
  ],
  export: () => [],
}

/** The result of a call as text, without what differs from store to store: versions, and the messages of errors. */
async function resultOf(store: Store, method: keyof Store, values: unknown[]): Promise<string> {
  const call = store[method] as (...values: unknown[]) => unknown
  try {
    const result = await call(...values)
    return JSON.stringify(inOrder(result)) ?? 'nothing'
  } catch (error) {
    return error instanceof StateError ? error.message : 'an error'
  }
}

/** The fields of each record by their names. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name]) => name !== 'version' && name !== 'now')
  return Object.fromEntries(
    fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, inOrder(each)]),
  )
}

test.skipIf(noPostgres)('every store has the same result of each of 3,000 random calls', async () => {
  const stores = [createMemoryStore(), await folder.openStore(), await openStore()]
  const methods = Object.keys(calls) as (keyof Store)[]
  for (let i = 0; i < 3_000; i += 1) {
    const method: keyof Store = pick(methods)
    const values = calls[method]?.() ?? []
    const results: string[] = []
    for (const store of stores) results.push(await resultOf(store, method, structuredClone(values)))
    const [memory, ...others] = results
    expect(others, `call ${i}: ${method} ${JSON.stringify(values)}`).toEqual([memory, memory])
  }
})
