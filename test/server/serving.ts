import { Agent, request } from 'node:http'
import { issueSession } from '../../src/server/sessions/issue-session.js'
import { createSessionCookies } from '../../src/server/sessions/session-cookie.js'
import { listening, type Running, sessionSecret, start } from '../cli/cli-process.js'
import { openSqliteStore } from '../store/open-stores.js'
import { demo, hour } from './server-harness.js'

/** A database with the teams of the demo, and a session with all permissions. */
export async function seededDatabase(file: string): Promise<{ cookie: string }> {
  const store = await openSqliteStore(file)
  await store.load({ ...demo(), sessions: [], waitlist: [] })
  const user = await store.user('user-ada')
  if (!user) throw new Error('the fixture has no user-ada')
  const { cookie } = await issueSession(
    { store, cookies: createSessionCookies([sessionSecret]), now: () => new Date() },
    {
      user,
      orgCode: 'org_acme',
      permissions: ['create:projects', 'update:projects'],
      ttlMs: hour,
    },
  )
  await store.close()
  return { cookie: `session=${cookie}` }
}

/** Serves a database with the built executable. */
export async function serve(file: string, env: Record<string, string> = {}, port = 0) {
  const running: Running = start(['serve', '--port', String(port), '--database', file, '--json'], {
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, ...env },
  })
  return { ...running, url: await listening(running) }
}

export type ReceivedResponse = { status: number; headers: NodeJS.Dict<string | string[]>; body: unknown }
/** A failed request; `isNew` is true if its connection had not been used before. */
export type FailedRequest = { error: string; isNew: boolean }

/** A client with one kept-alive connection. */
export function createClient(url: string, cookie: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (method: string, path: string, body?: object) =>
    new Promise<ReceivedResponse | FailedRequest>((resolve) => {
      const sent = request(new URL(path, url), {
        method,
        agent,
        headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      })
      sent.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ error: error.code ?? error.message, isNew: !sent.reusedSocket }),
      )
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: text && JSON.parse(text),
          }),
        )
        response.on('error', (error) => resolve({ error: error.message, isNew: !sent.reusedSocket }))
      })
      sent.end(body && JSON.stringify(body))
    })
  return {
    call,
    create: (name: string) => call('POST', '/v1/projects', { name }),
    list: () => call('GET', '/v1/projects'),
    ready: () => call('GET', '/readyz'),
    end: () => agent.destroy(),
  }
}
