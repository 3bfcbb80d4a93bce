import fastify, { type FastifyPluginCallback, type InjectOptions } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DashboardApiOptions, dashboardApi } from '../../src/server/server.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { demo, hour, secret } from '../server/server-harness.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { type Host, hosts, type Send } from './fastify-hosts.js'

const places = [
  ['before it, in the same scope', true, false],
  ['before it, in the parent scope', true, true],
  ['after it, in the same scope', false, false],
  ['after it, in the parent scope', false, true],
] as const

/** An application with a plugin, and the dashboard API below /api. */
async function start({ register }: Host, isBefore: boolean, isInParent: boolean) {
  const store = createMemoryStore(demo())
  const app = fastify({ logger: { level: 'silent' } })
  onTestFinished(() => app.close())
  const options: DashboardApiOptions = {
    store,
    prefix: '/api',
    sessions: { sessionSecret: secret },
    allowedOrigins: ['https://app.example'],
  }
  const dashboard: FastifyPluginCallback = (child, _options, done) => {
    child.register(dashboardApi, options)
    done()
  }
  if (isBefore) await register(app)
  if (isInParent) await app.register(dashboard)
  else await app.register(dashboardApi, options)
  if (!isBefore) await register(app)
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { cookie } = await issueSession(
    { store, cookies: createSessionCookies([secret]), now: () => new Date() },
    { user, orgCode: 'org_acme', permissions: ['create:projects', 'update:projects'], ttlMs: hour },
  )
  const session = `session=${cookie}`
  const send: Send = ({ headers = {}, ...more } = {}) => {
    const sent = { cookie: session, ...headers }
    return app.inject({ url: '/api/v1/projects', ...more, headers: sent } as InjectOptions)
  }
  return { app, send }
}

describe.each(Object.entries(hosts))('%s', (_, host) => {
  test.each(places)('registered %s', async (_where, isBefore, isInParent) => {
    const { app, send } = await start(host, isBefore, isInParent)
    const post = { method: 'POST', url: '/api/v1/projects' } as const
    const created = await send({ ...post, payload: { name: 'New' } })
    expect([created.statusCode, created.json().project?.name]).toEqual([201, 'New'])
    const listed = await send()
    expect([listed.statusCode, listed.json().projects[0]]).toEqual([200, created.json().project])
    const url = `/api/v1/projects/${created.json().project.id}`
    expect((await send({ method: 'PATCH', url, payload: { status: 'paused' } })).json().project.status).toBe(
      'paused',
    )
    const refusals = await Promise.all([
      app.inject({ ...post, payload: { name: 'Other' } }),
      send({ ...post, payload: { name: 'x'.repeat(70_000) } }),
      send({ ...post, headers: { 'content-type': 'text/plain' }, payload: 'x' }),
      send({ ...post, headers: { 'content-type': 'application/json' }, payload: '{' }),
      send({ url: '/api/v1/nowhere' }),
      send({ method: 'DELETE' }),
    ])
    expect(refusals.map(({ statusCode }) => statusCode)).toEqual([401, 413, 415, 422, 404, 405])
    for (const refusal of refusals) expect(Object.keys(refusal.json())).toContain('docsUrl')
    const join = { method: 'POST', url: '/api/v1/waitlist', payload: { email: 'a@b.example' } } as const
    expect((await send(join)).json()).toEqual({ status: 'ok' })

    await host.check?.(send, app, isBefore)
  })

  test.each(places)('lets users sign out, registered %s', async (_where, isBefore, isInParent) => {
    const { send } = await start(host, isBefore, isInParent)
    const ended = await send({ method: 'POST', url: '/api/auth/sign-out' })
    expect([ended.statusCode, [ended.headers['set-cookie']].flat()]).toEqual([
      204,
      expect.arrayContaining(['session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']),
    ])
    expect((await send()).statusCode).toBe(401)
  })
})
