import { expect, onTestFinished } from 'vitest'
import { createApplication } from '../../examples/fastify/main.js'
import { openStore } from '../../src/server/server.js'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { demo, hour, secret } from '../server/server-harness.js'

/** Seeds a database with the public store API, and uses the example over it. */
export async function useExample(database: string): Promise<void> {
  const store = await openStore(database)
  await store.load({ ...demo(), sessions: [] })
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { cookie } = await issueSession(
    { store, cookies: createSessionCookies([secret]), now: () => new Date() },
    { user, orgCode: 'org_acme', permissions: ['create:projects'], ttlMs: hour },
  )
  const before = (await store.listProjects('team-acme')).projects.length
  await store.close()

  const app = await createApplication(database, secret)
  onTestFinished(() => app.close())
  const headers = { cookie: `session=${cookie}` }
  expect((await app.inject('/hello')).json()).toEqual({ hello: 'world' })
  const created = await app.inject({
    method: 'POST',
    url: '/api/v1/projects',
    headers,
    payload: { name: 'New' },
  })
  expect(created.statusCode).toBe(201)
  const listed = await app.inject({ url: '/api/v1/projects', headers })
  expect(listed.json().projects).toHaveLength(before + 1)
  expect(listed.json().projects[0]).toEqual(created.json().project)
}
