// A service written by hand: Express with a signed cookie. It uses better-sqlite3 with a durable commit for each write, or pg with a
// pool of 20 connections and prepared statements.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import express from 'express'

const [port, database, secret] = process.argv.slice(2)
const isPostgres = /^postgres(ql)?:/.test(database)

/** Prepares a statement with the parameters $1 and so on. Calls return its rows, or a promise of them. */
const prepare = isPostgres ? await preparePostgres() : await prepareSqlite()

async function preparePostgres() {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ connectionString: database, max: 20 })
  let count = 0
  return (text) => {
    count += 1
    const name = `statement-${count}`
    return async (...values) => (await pool.query({ name, text, values })).rows
  }
}

async function prepareSqlite() {
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(database)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  return (text) => {
    const statement = db.prepare(text)
    // better-sqlite3 takes the values by number.
    const rows = statement.reader ? (values) => statement.all(values) : (values) => statement.run(values)
    return (...values) => rows(Object.fromEntries(values.map((value, i) => [i + 1, value])))
  }
}

const columns = 'id, name, description, status, team_id AS "teamId", created_at AS "createdAt"'
const newestFirst = 'FROM projects WHERE team_id = $1 ORDER BY created_at DESC, id DESC'
const sameKey = isPostgres
  ? 'hashtextextended(name_key, 0) = hashtextextended($2 COLLATE "C", 0) AND name_key = $2'
  : 'name_key = $2'
const sessionWithId = prepare('SELECT * FROM sessions WHERE id = $1')
const userWithId = prepare(
  'SELECT id, email, given_name AS "givenName", family_name AS "familyName", picture FROM users WHERE id = $1',
)
const teamOf = prepare('SELECT id FROM teams WHERE org_code = $1')
const projectsOf = prepare(`SELECT ${columns} ${newestFirst}`)
const namesOf = prepare(`SELECT id, name ${newestFirst}`)
const projectNamed = prepare(`SELECT 1 FROM projects WHERE team_id = $1 AND ${sameKey} LIMIT 1`)
const addProject = prepare(
  `INSERT INTO projects (id, name, name_key, description, status, team_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
)
const updateProject = prepare(
  `UPDATE projects SET status = coalesce($3, status) WHERE team_id = $1 AND id = $2 RETURNING ${columns}`,
)
const addToWaitlist = prepare(
  'INSERT INTO waitlist (email, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
)

async function sessionOf(request) {
  const value = decodeURIComponent(/(?:^|; *)session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
  const end = value.lastIndexOf('.')
  const [signed, signature] = [value.slice(0, end), value.slice(end + 1)]
  const expected = createHmac('sha256', secret).update(signed).digest('base64').replace(/=+$/, '')
  if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
    return
  const claims = JSON.parse(Buffer.from(signed.slice('session.'.length), 'base64url').toString())
  const [session] = await sessionWithId(claims.sessionId)
  if (session && !session.revoked_at && session.expires_at > new Date().toISOString()) return session
}

const app = express()
app.use(express.json())
const signedIn = async (request, response, next) => {
  request.session = await sessionOf(request)
  if (!request.session) return response.status(401).json({ error: 'Sign in.', code: 'AUTH_REQUIRED' })
  next()
}
const teamIdOf = async ({ org_code }) => (await teamOf(org_code))[0].id

app.get('/v1/projects', signedIn, async ({ session }, response) => {
  response.json({ projects: await projectsOf(await teamIdOf(session)) })
})
app.get('/v1/auth/me', signedIn, async ({ session }, response) => {
  const [[user], teamId] = await Promise.all([userWithId(session.user_id), teamIdOf(session)])
  const projects = await namesOf(teamId)
  const permissions = JSON.parse(session.permissions)
  response.json({ user, organization: { orgCode: session.org_code }, permissions, teamId, projects })
})
app.post('/v1/projects', signedIn, async ({ session, body }, response) => {
  const teamId = await teamIdOf(session)
  const nameKey = body.name.toLowerCase()
  if ((await projectNamed(teamId, nameKey)).length > 0)
    return response.status(409).json({ code: 'PROJECT_NAME_TAKEN' })
  const { name, description = null } = body
  const [id, status, createdAt] = [randomUUID(), 'active', new Date().toISOString()]
  await addProject(id, name, nameKey, description, status, teamId, createdAt)
  response.status(201).json({ project: { id, name, description, status, teamId, createdAt } })
})
app.patch('/v1/projects/:id', signedIn, async ({ session, params, body }, response) => {
  const [project] = await updateProject(await teamIdOf(session), params.id, body.status ?? null)
  response.status(project ? 200 : 404).json({ project })
})
app.post('/v1/waitlist', async ({ body }, response) => {
  await addToWaitlist(body.email.trim().toLowerCase(), new Date().toISOString())
  response.json({ status: 'ok' })
})
app.listen(Number(port), '127.0.0.1')
