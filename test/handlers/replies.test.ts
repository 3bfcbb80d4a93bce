import { expect, test } from 'vitest'
import { type Call, createApi, failedReply } from '../../src/handlers/api.js'
import { operationalReply, successReply, unreadableReply } from '../../src/handlers/reply.js'
import { type Store, StoreUnavailableError } from '../../src/store/store.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'

const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const team = { id: 'team', name: 'Team', orgCode: 'org' }
const permissions = ['update:projects']

/** Renames a project over a store with only the given methods. */
async function rename(
  store: Partial<Store>,
  { projectId = 'mine', ...more }: Partial<Call> & { projectId?: string } = {},
) {
  const api = createApi({ now: () => new Date(), newId: () => 'new' })
  const call = {
    store: { ...createMemoryStore(), ...store },
    params: { projectId },
    query: () => '',
    contentType: 'application/json',
    body: new TextEncoder().encode('{"name":"New"}'),
    ...more,
  }
  return api.call('updateProject', call, {
    id: 'session',
    user,
    orgCode: 'org',
    team,
    permissions,
  })
}

const failing = (error: Error) => ({
  updateProject: async () => {
    throw error
  },
})

test.each([
  ['an unavailable store', new StoreUnavailableError('busy'), 503, 'SERVICE_UNAVAILABLE', '1'],
  ['a bug', new TypeError('x is not a function'), 500, 'INTERNAL_ERROR', undefined],
] as const)(
  '%s is thrown, and only what may succeed later says when to try again',
  async (_, error, status, code, retryAfter) => {
    await expect(rename(failing(error))).rejects.toBe(error)
    const reply = failedReply(error)
    expect(reply).toMatchObject({ status, code })
    expect(reply.headers['retry-after']).toBe(retryAfter)
  },
)

test('an id that no store can hold is unknown, and the store is not asked', async () => {
  for (const projectId of ['a\0b', '\ud800']) {
    const reply = await rename(failing(new Error('It was asked')), { projectId })
    expect(reply).toMatchObject({ status: 404, code: 'PROJECT_NOT_FOUND' })
  }
})

test('the store receives the actor of a change, from the session', async () => {
  const told: unknown[] = []
  const updateProject: Store['updateProject'] = async (...args) => void told.push(args.at(-1))
  await rename({ updateProject }, { by: (session) => ({ via: 'http', sessionId: session?.id }) })
  await rename({ updateProject })
  expect(told).toEqual([{ via: 'http', sessionId: 'session' }, undefined])
})

test('a body without a content type is not JSON', async () => {
  const reply = await rename({}, { contentType: undefined })
  expect(reply).toMatchObject({ status: 415 })
})

test('a reply can have a retry time', () => {
  expect(operationalReply('RATE_LIMITED').headers['retry-after']).toBe('1')
  expect(operationalReply('SERVICE_UNAVAILABLE', { 'retry-after': '5' }).headers['retry-after']).toBe('5')
})

test('no response may be cached, and only responses with a body have a content type', () => {
  const type = 'application/json; charset=utf-8'
  expect(successReply(204, undefined).headers).toEqual({ 'cache-control': 'no-store' })
  expect(successReply(200, {}).headers).toEqual({ 'content-type': type, 'cache-control': 'no-store' })
  expect(unreadableReply(400, 'no').headers).toEqual({ 'content-type': type, 'cache-control': 'no-store' })
  expect(unreadableReply(431, 'too long')).toMatchObject({
    status: 431,
    code: 'VALIDATION_FAILED',
    message: 'too long',
  })
})
