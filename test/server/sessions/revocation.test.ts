import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionCookies } from '../../../src/server/sessions/session-cookie.js'
import { readSettings } from '../../../src/server/settings/settings.js'
import { createSignInStates } from '../../../src/server/sign-in/sign-in-state.js'
import { type ServerOptions, startServer } from '../../../src/server/start-server.js'
import { emptyFolder, run } from '../../cli/cli-process.js'
import { openSqliteStore } from '../../store/open-stores.js'
import { demo, secret } from '../server-harness.js'

// The server in this process, and the command line in separate processes, on one database.

const retired = 'a-retired-secret-of-more-than-32-bytes-long'
let database: string
let server: Awaited<ReturnType<typeof startServer>> | undefined

beforeEach(async () => {
  database = join(emptyFolder(), 'dashboard.db')
  const store = await openSqliteStore(database)
  await store.load({ ...demo(), sessions: [] })
  await store.close()
})
afterEach(() => server?.close())

async function serve(secrets = secret, options: ServerOptions = {}) {
  await server?.close()
  const settings = readSettings({ DASHBOARD_API_SESSION_SECRET: secrets }, { port: '0', database })
  server = await startServer(settings, { logStream: { write: () => {} }, idleGraceMs: 100, ...options })
}

/** Runs a command on the same database. */
async function command(args: string[], secrets = secret): Promise<string> {
  const { code, stdout, stderr } = await run([...args, '--database', database], {
    env: { DASHBOARD_API_SESSION_SECRET: secrets },
  })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
const issue = (secrets = secret, ...more: string[]) =>
  command(
    [
      ...['session', 'issue', '--user', 'ada@acme.example', '--organization', 'org_acme'],
      ...['--permissions', 'create:projects', ...more],
    ],
    secrets,
  )

/** The whole response to a Cookie header, without the parts that differ for each request. */
async function responseTo(cookie?: string) {
  const response = await fetch(`${server?.url}/v1/projects`, {
    headers: cookie === undefined ? {} : { cookie },
  })
  const headers = Object.fromEntries(response.headers)
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status: response.status, headers: rest, body: await response.text() }
}
const statusOf = async (value: string) => (await responseTo(`session=${value}`)).status

async function withStore<Result>(
  act: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<Result>,
) {
  const store = await openSqliteStore(database)
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}
const claimsOf = (value: string) => createSessionCookies([secret]).verify(value) as { sessionId: string }

describe('a session of production', () => {
  it('is valid from the next request on when another process issues it, and invalid when that revokes it', async () => {
    await serve()
    const [first, second] = [await issue(), await issue()]
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
    await command(['session', 'revoke', claimsOf(first).sessionId])
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  it('is valid after a rotation of secrets, until its secret is removed', async () => {
    await serve(retired)
    const old = await issue(retired)
    expect(await statusOf(old)).toBe(200)
    await serve(`${secret},${retired}`)
    const fresh = await issue(`${secret},${retired}`)
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
    await serve(secret)
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([401, 200])
  })

  it('is refused with the same bytes for every reason', async () => {
    await serve()
    const [value, revoked] = [await issue(), await issue()]
    await command(['session', 'revoke', claimsOf(revoked).sessionId])
    const signedOut = await responseTo()
    expect(signedOut.status).toBe(401)

    const claims = {
      orgCode: 'org_acme',
      issuedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: '2099-01-01T00:00:00.000Z',
    }
    const seal = (secrets: string[], sessionId: string, more = {}) =>
      createSessionCookies(secrets).sign({ ...claims, sessionId, ...more })
    const { sessionId } = claimsOf(value)
    const attempt = createSignInStates([secret]).sign({
      ...claims,
      state: 's',
      nonce: 'n',
      verifier: 'v',
      returnTo: '/',
    } as never)
    const wrong = {
      empty: 'session=',
      cut: `session=${value.slice(0, -1)}`,
      longer: `session=${value}A`,
      'of a persona': 'session=acme-owner',
      revoked: `session=${revoked}`,
      unknown: `session=${seal([secret], 'ses_unknown')}`,
      expired: `session=${seal([secret], sessionId, { expiresAt: '2026-01-02T00:00:00.000Z' })}`,
      'of another organisation': `session=${seal([secret], sessionId, { orgCode: 'org_globex' })}`,
      'signed with a retired key': `session=${seal([retired], sessionId)}`,
      'of a sign-in': `session=${attempt}`,
      'sent twice': `session=${value}; session=${value}`,
      'under another name': `__Host-session=${value}`,
      garbled: 'session=%E0%A4%A',
    }
    for (const [what, cookie] of Object.entries(wrong))
      expect(await responseTo(cookie), what).toEqual(signedOut)
    expect(await statusOf(value)).toBe(200)
  })

  it('is deleted after it expired: when the server starts, and while it runs', async () => {
    const open = await issue()
    const row = (id: string) => ({
      id,
      userId: 'user-ada',
      permissions: [],
      expiresAt: '2026-01-01T00:00:00.000Z',
    })
    const ids = () => withStore(async (store) => (await store.listSessions()).map(({ id }) => id))
    await withStore((store) => store.addSession(row('before')))
    await serve(secret, { cleanMs: 50 })
    await expect.poll(ids).toEqual([claimsOf(open).sessionId])
    await withStore((store) => store.addSession(row('while')))
    await expect.poll(ids).toEqual([claimsOf(open).sessionId])
    expect(await statusOf(open)).toBe(200)
  })
})
