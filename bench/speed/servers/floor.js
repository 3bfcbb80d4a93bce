// The floor: the minimum cost of a durable create. Fastify, and sqlite3 with group commit and an audit entry; no sessions, hooks,
// limits, versions of teams or checks of the file.
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import fastify from 'fastify'
import sqlite3 from 'sqlite3'

const [port, database] = process.argv.slice(2)
const db = new sqlite3.Database(database)
const exec = promisify(db.exec.bind(db))
await exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; DROP TRIGGER project_added')
const prepare = (sql) => {
  const statement = db.prepare(sql)
  return promisify(statement.all.bind(statement))
}
const items = 'FROM jsonb_each(?1)'
const findTaken = prepare(`SELECT key AS at ${items} WHERE EXISTS (
  SELECT 1 FROM projects WHERE team_id = value ->> 6 AND name_key = value ->> 2)`)
const addProjects =
  prepare(`INSERT INTO projects (id, name, name_key, description, status, created_at, team_id)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'active', value ->> 5, value ->> 6 ${items}`)
const addEntries = prepare(`INSERT INTO audit_log (id, at, action, outcome, via, target)
  SELECT value ->> 7, value ->> 5, 'project.create', 'success', 'createProject', value ->> 0 ${items}`)

let waiting = []
let writers = 1
let isWriting = false
let timer
async function write() {
  clearTimeout(timer)
  timer = undefined
  if (isWriting || waiting.length === 0) return
  isWriting = true
  const batch = waiting
  waiting = []
  const json = JSON.stringify(batch.map(({ row }) => row))
  await exec('BEGIN IMMEDIATE')
  const taken = new Set((await findTaken(json)).map(({ at }) => at))
  const added =
    taken.size === 0 ? json : JSON.stringify(batch.flatMap(({ row }, i) => (taken.has(i) ? [] : [row])))
  await addProjects(added)
  await addEntries(added)
  await exec('COMMIT')
  isWriting = false
  writers = batch.length + waiting.length
  for (const [i, { resolve }] of batch.entries()) resolve(!taken.has(i))
  timer ??= setTimeout(write, 8)
}
const add = (row) =>
  new Promise((resolve) => {
    waiting.push({ row, resolve })
    if (waiting.length >= writers) setImmediate(write)
    else timer ??= setTimeout(write, 8)
  })

const app = fastify()
let count = 0
app.post('/v1/projects', async ({ body: { name, description } }, reply) => {
  const [id, createdAt, teamId] = [randomUUID(), new Date().toISOString(), `team-${count++ % 10}`]
  if (!(await add([id, name, name.toLowerCase(), description, 'active', createdAt, teamId, randomUUID()])))
    return reply.code(409).send({ code: 'PROJECT_NAME_TAKEN' })
  return reply.code(201).send({ project: { id, name, description, status: 'active', teamId, createdAt } })
})
process.once('SIGTERM', () => process.exit())
await app.listen({ port: Number(port), host: '127.0.0.1' })
