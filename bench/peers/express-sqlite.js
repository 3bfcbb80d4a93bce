// A service written by hand: Express with better-sqlite3, a signed cookie, and a durable commit for each write.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import Database from 'better-sqlite3'
import express from 'express'

const [port, file, secret] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')

const sessionWithId = db.prepare('SELECT * FROM sessions WHERE id = ?')
const userWithId = db.prepare(
  'SELECT id, email, given_name AS givenName, family_name AS familyName, picture FROM users WHERE id = ?',
)
const teamOf = db.prepare('SELECT id FROM teams WHERE org_code = ?')
const columns = 'id, name, description, status, team_id AS teamId, created_at AS createdAt'
const projectsOf = db.prepare(
  `SELECT ${columns} FROM projects WHERE team_id = ? ORDER BY created_at DESC, id DESC`,
)
const projectNamed = db.prepare('SELECT 1 FROM projects WHERE team_id = ? AND name_key = ? LIMIT 1')
const addProject = db.prepare(
  `INSERT INTO projects (id, name, name_key, description, status, team_id, created_at)
   VALUES (@id, @name, @nameKey, @description, @status, @teamId, @createdAt)`,
)
const updateProject = db.prepare(
  `UPDATE projects SET status = coalesce(@status, status) WHERE team_id = @teamId AND id = @id RETURNING ${columns}`,
)
const addToWaitlist = db.prepare(
  'INSERT INTO waitlist (email, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
)

function sessionOf(request) {
  const value = decodeURIComponent(/(?:^|; *)session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
  const end = value.lastIndexOf('.')
  const [signed, signature] = [value.slice(0, end), value.slice(end + 1)]
  const expected = createHmac('sha256', secret).update(signed).digest('base64').replace(/=+$/, '')
  if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
    return
  const claims = JSON.parse(Buffer.from(signed.slice('session.'.length), 'base64url').toString())
  const session = sessionWithId.get(claims.sessionId)
  if (session && !session.revoked_at && session.expires_at > new Date().toISOString()) return session
}

const app = express()
app.use(express.json())
const signedIn = (request, response, next) => {
  request.session = sessionOf(request)
  if (!request.session) return response.status(401).json({ error: 'Sign in.', code: 'AUTH_REQUIRED' })
  request.teamId = teamOf.get(request.session.org_code).id
  next()
}

app.get('/v1/projects', signedIn, ({ teamId }, response) => {
  response.json({ projects: projectsOf.all(teamId) })
})
app.get('/v1/auth/me', signedIn, ({ session, teamId }, response) => {
  const projects = projectsOf.all(teamId).map(({ id, name }) => ({ id, name }))
  const permissions = JSON.parse(session.permissions)
  const user = userWithId.get(session.user_id)
  response.json({ user, organization: { orgCode: session.org_code }, permissions, teamId, projects })
})
app.post('/v1/projects', signedIn, ({ teamId, body }, response) => {
  const nameKey = body.name.toLowerCase()
  if (projectNamed.get(teamId, nameKey)) return response.status(409).json({ code: 'PROJECT_NAME_TAKEN' })
  const { name, description = null } = body
  const project = {
    id: randomUUID(),
    name,
    description,
    status: 'active',
    teamId,
    createdAt: new Date().toISOString(),
  }
  addProject.run({ ...project, nameKey })
  response.status(201).json({ project })
})
app.patch('/v1/projects/:id', signedIn, ({ teamId, params: { id }, body }, response) => {
  const project = updateProject.get({ teamId, id, status: body.status ?? null })
  response.status(project ? 200 : 404).json({ project })
})
app.post('/v1/waitlist', ({ body }, response) => {
  addToWaitlist.run(body.email.trim().toLowerCase(), new Date().toISOString())
  response.json({ status: 'ok' })
})
app.listen(Number(port), '127.0.0.1')
