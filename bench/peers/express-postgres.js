// A service written by hand: Express with pg, a pool of 20 connections, prepared statements, a signed cookie. The driver
// is the one that the service uses.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import express from 'express'
import pg from 'pg'

const [port, connectionString, secret] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 20 })

/** A statement that each connection prepares once. Calls return its rows. */
const prepare = (name, text) => async (values) => (await pool.query({ name, text, values })).rows

const columns = 'id, name, description, status, team_id AS "teamId", created_at AS "createdAt"'
const sessionWithId = prepare('session', 'SELECT * FROM sessions WHERE id = $1')
const userWithId = prepare(
  'user',
  'SELECT id, email, given_name AS "givenName", family_name AS "familyName", picture FROM users WHERE id = $1',
)
const teamOf = prepare('team', 'SELECT id FROM teams WHERE org_code = $1')
const projectsOf = prepare(
  'projects',
  `SELECT ${columns} FROM projects WHERE team_id = $1 ORDER BY created_at DESC, id DESC`,
)
const namesOf = prepare(
  'names',
  'SELECT id, name FROM projects WHERE team_id = $1 ORDER BY created_at DESC, id DESC',
)
const projectNamed = prepare(
  'named',
  `SELECT 1 FROM projects WHERE team_id = $1 AND hashtextextended(name_key, 0) = hashtextextended($2 COLLATE "C", 0)
   AND name_key = $2 LIMIT 1`,
)
const addProject = prepare(
  'add',
  `INSERT INTO projects (id, name, name_key, description, status, team_id, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
)

async function sessionOf(request) {
  const value = decodeURIComponent(/(?:^|; *)session=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '')
  const end = value.lastIndexOf('.')
  const [signed, signature] = [value.slice(0, end), value.slice(end + 1)]
  const expected = createHmac('sha256', secret).update(signed).digest('base64').replace(/=+$/, '')
  if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
    return
  const claims = JSON.parse(Buffer.from(signed.slice('session.'.length), 'base64url').toString())
  const [session] = await sessionWithId([claims.sessionId])
  if (session && !session.revoked_at && session.expires_at > new Date().toISOString()) return session
}

const app = express()
app.use(express.json())
const signedIn = async (request, response, next) => {
  request.session = await sessionOf(request)
  if (!request.session) return response.status(401).json({ error: 'Sign in.', code: 'AUTH_REQUIRED' })
  next()
}
const teamIdOf = async ({ org_code }) => (await teamOf([org_code]))[0].id

app.get('/v1/projects', signedIn, async ({ session }, response) => {
  response.json({ projects: await projectsOf([await teamIdOf(session)]) })
})
app.get('/v1/auth/me', signedIn, async ({ session }, response) => {
  const [[user], teamId] = await Promise.all([userWithId([session.user_id]), teamIdOf(session)])
  const projects = await namesOf([teamId])
  const permissions = JSON.parse(session.permissions)
  response.json({ user, organization: { orgCode: session.org_code }, permissions, teamId, projects })
})
app.post('/v1/projects', signedIn, async ({ session, body }, response) => {
  const teamId = await teamIdOf(session)
  const nameKey = body.name.toLowerCase()
  if ((await projectNamed([teamId, nameKey])).length > 0)
    return response.status(409).json({ code: 'PROJECT_NAME_TAKEN' })
  const { name, description = null } = body
  const project = {
    id: randomUUID(),
    name,
    description,
    status: 'active',
    teamId,
    createdAt: new Date().toISOString(),
  }
  await addProject([project.id, name, nameKey, description, project.status, teamId, project.createdAt])
  response.status(201).json({ project })
})
app.listen(Number(port), '127.0.0.1')
