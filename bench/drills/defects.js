// Defects for the controls of drills. Loaded before the service (`--import`), this module receives each request first, so that a
// control depends on nothing inside the service. $DRILL_DEFECT names the defect.
import { randomUUID } from 'node:crypto'
import { Server } from 'node:http'
import pg from 'pg'
import { maxPendingPerSession } from '../../dist/server/http/pending-limit.js'

const { DRILL_DEFECT, DRILL_DATABASE, DRILL_LATE_MS } = process.env
const lateMs = Number(DRILL_LATE_MS ?? 50)
/** Marks the requests that this module sends. */
const passMark = 'x-drill-pass'

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/** Sends a request to the service, with a body that was read before; or another request with the same session. */
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

/** Runs a query, and reconnects after a lost connection. Resolves with undefined where the query fails. */
const query = (() => {
  let client
  const open = async () => {
    const opened = new pg.Client({ connectionString: DRILL_DATABASE, connectionTimeoutMillis: 2_000 })
    opened.on('error', () => {
      client = undefined
    })
    await opened.connect()
    // The connection does not keep the service running.
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

/** Responses to reads, by path and caller. */
const cached = new Map()
let updates = 0
/** Requests in the queue. */
const arrived = []
let running = 0

/** Each receives a request and its response, and `pass`, which lets the service handle the request. */
const defects = {
  /** Caches the responses to reads for 50 ms, without checking for changes. */
  async staleReads(request, response, pass) {
    if (request.method !== 'GET') return pass()
    const key = `${request.url} ${request.headers.cookie}`
    const known = cached.get(key)
    if (known && performance.now() - known.readAt < lateMs) return answer(response, known.result)
    const readAt = performance.now()
    const result = await forward(request)
    if (result.status === 200) cached.set(key, { readAt, result })
    return answer(response, result)
  },
  /** Acknowledges one update in 20 without executing it. */
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
  /** Acknowledges a creation before executing it. */
  async earlyResponse(request, response, pass) {
    if (request.method !== 'POST') return pass()
    const body = await bodyOf(request)
    setTimeout(() => forward(request, { body }).catch(() => {}), lateMs)
    return answerJson(response, 201, { project: { id: randomUUID(), ...JSON.parse(body) } })
  },
  /** Executes a creation after its 503, without checking whether the name is taken. */
  async lateCreate(request, response, pass) {
    if (request.method !== 'POST') return pass()
    const body = await bodyOf(request)
    const result = await forward(request, { body })
    if (result.status === 503) setTimeout(() => insertUnseen(JSON.parse(body)), 3_000)
    return answer(response, result)
  },
  /** Executes the requests of all teams in one queue: in the order of their arrival, as many at once as a session may have. */
  async oneQueue(request, response, pass) {
    const { socket } = request
    if (running < maxPendingPerSession) running += 1
    else await new Promise((resolve) => arrived.push(resolve))
    // If the client is gone, a pipelined response that waits for earlier ones never emits `close`.
    if (!socket.destroyed) {
      let end
      const ended = new Promise((resolve) => {
        end = resolve
      })
      for (const stream of [response, socket]) stream.once('close', end)
      pass()
      await ended
      socket.off('close', end)
    }
    const next = arrived.shift()
    if (next) next()
    else running -= 1
  },
  /** Closes the listening socket and idle connections immediately on SIGTERM. */
  abruptStop: (_request, _response, pass) => pass(),
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
if (DRILL_DEFECT === 'abruptStop') {
  const { listen } = Server.prototype
  Server.prototype.listen = function (...args) {
    process.once('SIGTERM', () => this.close().closeIdleConnections())
    return listen.apply(this, args)
  }
}
