import { describe, expect, it, onTestFinished } from 'vitest'
import document from '../../openapi.json' with { type: 'json' }
import {
  type Operation,
  type OperationName,
  operationNames,
  operations,
} from '../../src/contract/operations.js'
import type { Project } from '../../src/contract/schemas.js'
import { startDevServer } from '../../src/mock/http/dev-server.js'
import { createApp } from '../../src/server/app.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { emptyState, type State } from '../../src/store/state-file.js'
import { StoreUnavailableError } from '../../src/store/store.js'
import { openWire, secret, testSettings } from '../server/server-harness.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { undescribed } from './described-response.js'
import { type Caller, callers, type Replay, replays } from './replayed-examples.js'

// Both modes really send every example of a response in openapi.json, and its schema describes it.

type Example = [operation: OperationName, status: string, name: string, value: unknown]
type Described = { content?: { 'application/json': { examples: Record<string, { value: unknown }> } } }

const examples = operationNames.flatMap((name): Example[] => {
  const { method, path }: Operation = operations[name]
  const paths = document.paths as Record<string, Record<string, { responses: Record<string, object> }>>
  const shared = document.components.responses as Record<string, object>
  return Object.entries(paths[path]?.[method.toLowerCase()]?.responses ?? {}).flatMap(
    ([status, response]) => {
      const [, component] = '$ref' in response ? String(response.$ref).split('responses/') : []
      const { content } = (component ? shared[component] : response) as Described
      const named = Object.entries(content?.['application/json'].examples ?? {})
      return named.map(([example, { value }]): Example => [name, status, example, value])
    },
  )
})

const { user } = operations.getSession.success.example
const { project } = operations.createProject.success.example
const now = () => new Date(project.createdAt)
const newId = () => project.id
const issuedAt = project.createdAt
const expiresAt = new Date(now().getTime() + 3_600_000).toISOString()

const signed = createSessionCookies([secret])
/** The value of a caller's cookie, which is also the name of the persona of the mock. */
const cookieOf = (id: Caller) => signed.sign({ sessionId: id, issuedAt, expiresAt, ...organizationOf(id) })
const organizationOf = (id: Caller) => {
  const { orgCode } = callers[id]
  return orgCode === undefined ? {} : { orgCode }
}

const stateWith = (projects: Project[], idOf: (id: Caller) => string): State => ({
  ...emptyState(),
  teams: [{ id: project.teamId, name: 'Acme', orgCode: 'org_acme' }],
  users: [user],
  projects,
  sessions: (Object.keys(callers) as Caller[]).map((id) => {
    const { permissions } = callers[id]
    return {
      id: idOf(id),
      userId: user.id,
      permissions,
      createdAt: issuedAt,
      expiresAt,
      ...organizationOf(id),
    }
  }),
})

type Started = { url: string; headers?: Record<string, string> }

async function startMock(projects: Project[], forced?: string): Promise<Started> {
  const fixtures = stateWith(projects, cookieOf)
  const { url, close } = await startDevServer({ fixtures, port: 0, now, newId })
  onTestFinished(close)
  return { url, ...(forced && { headers: { prefer: `code=${forced}` } }) }
}

async function startProduction(projects: Project[], forced?: string): Promise<Started> {
  const store = createMemoryStore(stateWith(projects, (id) => id))
  const rate = { max: 0, ms: 60_000 }
  const error = forced === 'INTERNAL_ERROR' ? new Error('a bug') : new StoreUnavailableError('down')
  const failing = new Proxy(store, { get: () => () => Promise.reject(error) })
  const { app } = createApp({
    store: forced && forced !== 'RATE_LIMITED' ? failing : store,
    ...testSettings,
    sessionIdle: 3_600_000,
    now,
    newId,
    ...(forced === 'RATE_LIMITED' && { waitlistRate: rate, maxPendingPerSession: 0 }),
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return { url }
}

/** Sends the example of an operation, changed as the replay says. Returns the status, the headers and the body. */
async function send(name: OperationName, { url, headers }: Started, replay: Replay) {
  const { method, path, params = {}, body }: Operation = operations[name]
  const { as = 'owner', contentType = 'application/json' } = replay
  const [param] = Object.values(params)
  const target = path.replace(/\{\w+\}/, replay.id ?? param?.example ?? '')
  if (replay.malformed) {
    const wire = await openWire(url)
    wire.write(`${method} ${target} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nnot a header\r\n\r\n`)
    const [head = '', text = ''] = (await wire.closed).split('\r\n\r\n')
    const [, ...lines] = head
      .split('\r\n')
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ])
    return { status: Number(head.split(' ')[1]), headers: Object.fromEntries(lines), text }
  }
  const response = await fetch(url + target, {
    method,
    headers: {
      ...(as !== 'nobody' && { cookie: `session=${encodeURIComponent(cookieOf(as))}` }),
      ...(body && { 'content-type': contentType }),
      ...headers,
      ...replay.headers,
    },
    ...(body && { body: replay.body ?? JSON.stringify(body.example) }),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

describe.each([
  ['the mock', startMock],
  ['production', startProduction],
])('an example of openapi.json is sent by %s', (mode, start) => {
  it.each(examples)('%s %s %s', async (operation, status, name, value) => {
    const replay = replays[name]
    if (!replay) throw new Error(`Say in replayed-examples.ts what provokes the example ${name}.`)
    // The team does not have the project of the example of a creation.
    const has = status === '201' ? [] : (replay.projects?.(project) ?? [project])
    const sent = await send(operation, await start(has, replay.forced && name), replay)
    expect(undescribed(operations[operation], sent)).toEqual([])
    const { docsUrl, ...body } = JSON.parse(sent.text)
    if (mode === 'the mock' && operation === 'getSession' && status === '200') {
      // Section 2.2: only in the mock.
      expect(body).toMatchObject({ devMode: true, role: expect.any(String) })
      delete body.devMode
      delete body.role
    }
    const { pathname = undefined } = docsUrl ? new URL(docsUrl) : {}
    expect({ ...body, ...(docsUrl && { docsUrl: `https://api.example${pathname}` }) }).toEqual(value)
    expect(String(sent.status)).toBe(status === 'default' ? '400' : status)
  })
})
