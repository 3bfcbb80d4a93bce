import { describe, expect, it, onTestFinished } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { connectToMock } from '../../../src/mock/control.js'
import { createMock } from '../../../src/mock/create-mock.js'
import { startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

describe('who am I', () => {
  it.each([undefined, 'acme-member'])(
    'a client without a cookie is who the list says, with session %s',
    async (session) => {
      const { url, close } = await startDevServer({ fixtures: parseState(demo), port: 0, session })
      onTestFinished(close)
      const { sessions } = connectToMock(url)
      const list = await sessions.list()
      expect([list.active, list.withoutCookie, list.you]).toEqual([session ?? 'acme-owner', session, session])
      expect((await fetch(`${url}/v1/auth/me`)).status).toBe(session === undefined ? 401 : 200)

      const cookie = 'session=acme-viewer'
      const asked = await (await fetch(`${url}/__dev/sessions`, { headers: { cookie } })).json()
      expect([asked.you, asked.withoutCookie]).toEqual(['acme-viewer', session])
    },
  )

  it('a test and its requests are the same', async () => {
    const mock = createMock({ baseUrl: 'http://mock.test' })
    expect((await mock.sessions.list()).you).toBeUndefined()
    expect(await mock.sessions.use('acme-viewer')).toMatchObject({
      you: 'acme-viewer',
      withoutCookie: 'acme-viewer',
    })
  })
})

it('the history says what undo and redo would do', async () => {
  const mock = createMock({ baseUrl: 'http://mock.test', session: 'acme-owner' })
  expect(await mock.history()).toEqual({})
  await mock.data.add('projects', { name: 'A' })
  expect(await mock.history()).toEqual({ undo: 'data add projects' })
  await mock.undo()
  expect(await mock.history()).toEqual({ redo: 'data add projects' })
})
