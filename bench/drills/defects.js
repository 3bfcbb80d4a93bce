// Defects for the controls of drills. Loaded before the service (`--import`): it stands before the service's own handling of
// each request. $DRILL_DEFECT names the defect, so that a control depends on nothing inside the service.
import { randomUUID } from 'node:crypto'
import { Server } from 'node:http'
import pg from 'pg'
import { projectOf, signedCookies } from '../speed/dataset.js'

const { DRILL_DEFECT, DRILL_DATABASE, DRILL_TEAMS, DRILL_LATE_MS } = process.env
const lateMs = Number(DRILL_LATE_MS ?? 50)
/** Marks what this module sends itself. */
const passMark = 'x-drill-pass'

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/** Sends a request, or another of the same client, to the service itself, with the body that was read from it. */
async function forward(request, { body, method = request.method, url = request.url } = {}) {
  const { cookie, 'content-type': type } = request.headers
  const response = await fetch(`http://127.0.0.1:${request.socket.localPort}${url}`, {
    method,
    headers: { [passMark]: '1', ...(cookie && { cookie }), ...(type && { 'content-type': type }) },
    body: body?.length > 0 ? body : undefined,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function answer(response, { status, headers, text }) {
  const retryAfter = headers?.get('retry-after')
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(retryAfter && { 'retry-after': retryAfter }),
  })
  response.end(text)
}

const answerJson = (response, status, value) => answer(response, { status, text: JSON.stringify(value) })

/** Answers reads from memory as long as `renew` gives a mark for the one that `mark` gave before the response was made. */
function cachedWhile(mark, renew) {
  const cached = new Map()
  return async (request, response, pass) => {
    if (request.method !== 'GET') return pass()
    const key = `${request.url} ${request.headers.cookie}`
    const known = cached.get(key)
    const renewed = known && (await renew(known.mark))
    if (renewed !== undefined) {
      known.mark = renewed
      return answer(response, known.result)
    }
    const marked = await mark()
    const result = await forward(request)
    if (result.status === 200 && marked !== undefined) cached.set(key, { mark: marked, result })
    return answer(response, result)
  }
}

/** Runs a query on a connection that is opened again after it was lost; undefined where that is impossible. */
const query = (() => {
  let client
  const open = async () => {
    const opened = new pg.Client({ connectionString: DRILL_DATABASE, connectionTimeoutMillis: 2_000 })
    opened.on('error', () => {
      client = undefined
    })
    await opened.connect()
    // The service ends without it.
    opened.unref()
    return opened
  }
  return async (sql, ...values) => {
    try {
      client ??= open()
      return (await (await client).query(sql, values)).rows
    } catch {
      client = undefined
      return undefined
    }
  }
})()

const snapshotNow = async () => (await query('SELECT pg_current_snapshot()::text AS snapshot'))?.[0].snapshot

/** The team of the data set whose project an id is. */
function ownerOf(url) {
  const [, team, serial] = /0{0,5}(\d+?)(\d{6})$/.exec(url) ?? []
  const isThere =
    Number(team) < Number(DRILL_TEAMS) && url.endsWith(projectOf(Number(team), Number(serial)).id)
  return isThere ? Number(team) : undefined
}

let updates = 0
let turn = Promise.resolve()

/** Each is given a request and its response, and `pass`, which lets the service handle it. */
const defects = {
  /** Answers reads from memory for 50 ms without asking what changed. */
  late: cachedWhile(
    () => performance.now(),
    (readAt) => (performance.now() - readAt < lateMs ? readAt : undefined),
  ),
  /** Takes commits for known by the ids of their transactions, as the snapshots of PostgreSQL tell them. */
  transactionIds: cachedWhile(snapshotNow, async (snapshot) => {
    const changed = (table) =>
      `SELECT FROM ${table} WHERE NOT pg_visible_in_snapshot(xmin::text::xid8, $1::text::pg_snapshot)`
    const rows = await query(`${changed('projects')} UNION ALL ${changed('sessions')} LIMIT 1`, snapshot)
    return rows?.length === 0 ? snapshotNow() : undefined
  }),
  /** Acknowledges one update in 20 without making it. */
  async lostUpdate(request, response, pass) {
    if (request.method !== 'PATCH') return pass()
    updates += 1
    if (updates % 20 > 0) return pass()
    const changes = JSON.parse(await bodyOf(request))
    const list = await forward(request, { method: 'GET', url: '/v1/projects' })
    const id = request.url.split('/').at(-1)
    const project = JSON.parse(list.text).projects?.find((each) => each.id === id)
    return answerJson(response, project ? 200 : 404, { project: { ...project, ...changes } })
  },
  /** Updates a project by its id alone. */
  foreignUpdate(request, _response, pass) {
    const owner = request.method === 'PATCH' ? ownerOf(request.url) : undefined
    if (owner !== undefined) request.headers.cookie = signedCookies(owner + 1)[owner]
    return pass()
  },
  /** Acknowledges a creation, and makes it later. */
  async early(request, response, pass) {
    if (request.method !== 'POST') return pass()
    const body = await bodyOf(request)
    setTimeout(() => forward(request, { body }).catch(() => {}), lateMs)
    return answerJson(response, 201, { project: { id: randomUUID(), ...JSON.parse(body) } })
  },
  /** Makes a creation after all that it has answered with 503, without looking the name up. */
  async again(request, response, pass) {
    if (request.method !== 'POST') return pass()
    const body = await bodyOf(request)
    const result = await forward(request, { body })
    if (result.status === 503) setTimeout(() => insertUnseen(JSON.parse(body)), 3_000)
    return answer(response, result)
  },
  /** Makes all writes one after the other, whosever they are. */
  oneQueue(request, response, pass) {
    if (request.method === 'GET') return pass()
    const previous = turn
    turn = previous.then(() => {
      // Where its client is gone, a response that waits for others before it is never closed.
      if (request.socket.destroyed) return undefined
      pass()
      return new Promise((resolve) => {
        for (const stream of [response, request.socket]) stream.once('close', resolve)
      })
    })
    return turn
  },
  /** Closes the listening socket and idle connections at once when it stops. */
  hasty: (_request, _response, pass) => pass(),
}

const insertUnseen = ({ name }) =>
  query(
    `INSERT INTO projects (team_id, id, name, name_key, status, created_at) VALUES ($1, $2, $3, $3, 'active', '')`,
    `team-${/^Drill (\d+) /.exec(name)[1]}`,
    randomUUID(),
    name,
  )

const defect = defects[DRILL_DEFECT]
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args)
  const [request, response] = args
  const pass = () => emit.call(this, event, ...args)
  const isPassed = request.headers[passMark] !== undefined || !request.url.startsWith('/v1/')
  if (isPassed) return pass()
  Promise.resolve(defect(request, response, pass)).catch((error) =>
    answerJson(response, 500, { error: error.message }),
  )
  return true
}
if (DRILL_DEFECT === 'hasty') {
  const { listen } = Server.prototype
  Server.prototype.listen = function (...args) {
    process.once('SIGTERM', () => this.close().closeIdleConnections())
    return listen.apply(this, args)
  }
}
