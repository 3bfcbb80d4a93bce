import { getResponse, HttpResponse, http, type RequestHandler } from 'msw'
import { expect, it } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { createMockApi } from '../../../src/mock/core/mock-api.js'
import { sentBy } from '../../../src/mock/core/sent-request.js'
import { parseState } from '../../../src/store/state-file.js'

const fixtures = parseState(demo)

function start(handlers: RequestHandler[] = []) {
  const mock = createMockApi({ fixtures, baseUrl: 'http://mock.test', handlers })
  const send = async (path: string, body?: object) => {
    const request = new Request(`http://mock.test${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const response = await getResponse(mock.handlers, request)
    return response?.arrayBuffer()
  }
  const askNobody = () => mock.logUnanswered(sentBy({ request: new Request('http://mock.test/api/nobody') }))
  return { ...mock.controls, send, askNobody, create: (name: string) => send('/v1/projects', { name }) }
}

it('names the requests that are undone, after steps back, further back and forward, and without them', async () => {
  const mock = start()
  for (const name of ['A', 'B', 'C', 'D']) await mock.create(name)
  const undone = async () => (await mock.history()).undone
  expect(await undone()).toBeUndefined()
  await mock.log.rewind(3)
  expect(await undone()).toEqual([[3, 4]])
  await mock.create('E')
  expect(await undone()).toEqual([[3, 4]])
  await mock.log.rewind(5)
  expect(await undone()).toEqual([
    [3, 4],
    [5, 5],
  ])
  // The moment after request 4 is before the first step back.
  await mock.log.rewind(4, { after: true })
  expect(await undone()).toEqual([[5, 5]])
  for (let steps = 0; steps < 2; steps++) await mock.undo()
  expect(await undone()).toEqual([[3, 4]])
  await mock.undo()
  expect(await undone()).toEqual([
    [3, 4],
    [5, 5],
  ])
  await mock.undo()
  expect(await undone()).toEqual([[5, 5]])
})

it('shows what differs at the moment of a request, without going there', async () => {
  const mock = start()
  await mock.create('A')
  await mock.create('B')
  const before = await mock.state.export()
  const { changed, changes } = await mock.log.diff(1)
  expect([changed, changes.map(({ before }) => before && Reflect.get(before, 'name'))]).toEqual([
    2,
    ['A', 'B'],
  ])
  expect((await mock.log.diff(2, { after: true })).changed).toBe(0)
  expect(await mock.state.export()).toEqual(before)
  await expect(mock.log.diff(9)).rejects.toThrow('no request 9')
})

it('restores a log that was cleared or reset, once, with what was unanswered', async () => {
  const mock = start()
  await mock.create('A')
  await mock.askNobody()
  const before = await mock.log.read()
  await mock.log.clear()
  expect(await mock.log.read()).toEqual([])
  await mock.send('/v1/projects')
  await mock.log.restore()
  expect((await mock.log.read()).map(({ id }) => id)).toEqual([1, 2, 3])
  expect((await mock.log.read()).slice(0, 2)).toEqual(before)
  expect((await mock.targets.list()).find(({ target }) => target === 'GET /api/nobody')?.hits).toBe(1)
  await expect(mock.log.restore()).rejects.toMatchObject({ name: 'ControlError', status: 409 })
  await mock.reset()
  await mock.undo()
  await mock.log.restore()
  expect(await mock.log.read()).toHaveLength(3)
  await mock.log.clear()
  for (let sent = 0; sent <= 100; sent++) await mock.send('/v1/projects')
  await expect(mock.log.restore()).rejects.toThrow('no cleared log')
})

it('restores a snapshot that was replaced or deleted', async () => {
  const { snapshots, ...mock } = start()
  await snapshots.save('one')
  await mock.create('A')
  await snapshots.save('one')
  await snapshots.restore('one')
  await snapshots.load('one')
  expect((await mock.state.export()).projects).toHaveLength(fixtures.projects.length)
  await snapshots.delete('one')
  expect(await snapshots.restore('one')).toEqual(['one'])
  await expect(snapshots.restore('one')).rejects.toMatchObject({ status: 404 })
})

it('logs how long a body is that is no text, and passes it on', async () => {
  const bytes = new Uint8Array(16).fill(7)
  const png = { headers: { 'content-type': 'image/png' } }
  const mock = start([
    http.get('http://mock.test/api/png', () => new HttpResponse(bytes.buffer, png)),
    http.get('http://mock.test/api/stream', () => new HttpResponse(new Blob([bytes, bytes]).stream(), png)),
  ])
  expect(new Uint8Array((await mock.send('/api/png')) ?? [])).toEqual(bytes)
  await mock.send('/api/stream')
  const bodies = [await mock.log.entry(1), await mock.log.entry(2)].map(({ response }) => response?.body)
  expect(bodies).toEqual([{ length: 16 }, { length: 32 }])
})
