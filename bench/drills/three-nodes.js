// Three nodes of the service over one PostgreSQL database.
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createSessionCookies } from '../../dist/server/sessions/session-cookie.js'
import { parseDatabaseAddress } from '../../dist/store/database-address.js'
import { openPostgresStore } from '../../dist/store/postgres/postgres-store.js'
import { secret } from '../speed/dataset.js'
import { createPostgres } from './postgres-server.js'
import { startNode } from './processes.js'

const nodeCount = 3

/**
 * Starts a PostgreSQL from npm, and stops it after use.
 * @param given the address of a running server, which is used in its place
 * @param use is given the server's address
 */
export async function withPostgres(given, use) {
  if (given !== undefined) return use(given)
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-drill-'))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755)
  try {
    const postgres = await createPostgres(join(folder, 'data'))
    try {
      return await use(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Creates a database on a server, fills it, starts three nodes, and removes all of it after use.
 * @param options.state the records
 * @param options.program what each node runs, in place of the executable
 * @param use is given the `urls` of the nodes; `query`, which runs SQL and returns rows; and `stop`, which ends the nodes
 */
export async function withThreeNodes(serverUrl, { state, program }, use) {
  const name = `drill_${randomUUID().replaceAll('-', '')}`
  const address = new URL(serverUrl)
  address.pathname = name
  const server = await connect(serverUrl)
  await server.query(`CREATE DATABASE ${name}`)
  const nodes = []
  const stop = () => Promise.all(nodes.map((node) => node.stop()))
  try {
    const store = await openPostgresStore(parseDatabaseAddress(address.href))
    await store.load(state)
    await store.close()
    const env = {
      DASHBOARD_API_WAITLIST_RATE: 'off',
      // The machine may be busy with other tests.
      DASHBOARD_API_DATABASE_TIMEOUT: '20s',
    }
    const starting = Array.from({ length: nodeCount }, () =>
      startNode({ database: address.href, program, env }).then((node) => nodes.push(node)),
    )
    await Promise.all(starting)
    const client = await connect(address.href)
    const query = async (sql) => (await client.query(sql)).rows
    return await use({ urls: nodes.map(({ url }) => url), query, stop }).finally(() => client.end())
  } finally {
    await stop()
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

const expiresAt = '2100-01-01T00:00:00.000Z'

/** Sessions of the first user of `dataset.js`, of its teams in turn, each with its Cookie header. */
export function sessionsOf({ count, teams, permissions }) {
  const cookies = createSessionCookies([secret])
  const issuedAt = new Date().toISOString()
  return Array.from({ length: count }, (_, i) => {
    const team = i % teams
    const id = `drill-session-${i}`
    const orgCode = `org_${team}`
    const claims = { sessionId: id, orgCode, issuedAt, expiresAt }
    return {
      team,
      cookie: `session=${encodeURIComponent(cookies.sign(claims))}`,
      record: { id, userId: 'user-0', orgCode, permissions, createdAt: issuedAt, expiresAt },
    }
  })
}

/** Sends a request. @returns the response's `status`, its `body`, and when (ms) it was `sent` and `answered` */
export async function send(url, method, path, { cookie, body } = {}) {
  const headers = { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) }
  const sent = performance.now()
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    sent,
    answered: performance.now(),
  }
}
