import { describe, expect, it } from 'vitest'
import { maxBodyBytes } from '../../../src/contract/limits.js'
import { lastResponse } from '../server-harness.js'
import { hasResponses, isWhole, listen, post, request } from './raw-requests.js'

describe('a body over the limit', () => {
  const tooLarge = JSON.stringify({ name: 'x'.repeat(16 * maxBodyBytes) })

  it.each([
    ['with its length', (cookie: string) => post(cookie, tooLarge)],
    [
      'in chunks',
      (cookie: string) =>
        request(
          'POST /v1/projects',
          [`cookie: ${cookie}`, 'content-type: application/json', 'transfer-encoding: chunked'],
          `${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n0\r\n\r\n`,
        ),
    ],
  ])('(%s) is refused, and the connection stays usable', async (_how, send) => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { write, until } = await wire()
    write(send(cookie))
    expect(lastResponse(await until(isWhole))).toMatchObject({
      status: 413,
      body: { code: 'VALIDATION_FAILED' },
    })
    write(post(cookie, '{"name":"After"}'))
    const received = await until((all) => hasResponses(2)(all) && isWhole(all))
    expect(lastResponse(received)).toMatchObject({ status: 201, body: { project: { name: 'After' } } })
  })

  it('is refused before it arrives', async () => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { write, until } = await wire()
    const headers = [`cookie: ${cookie}`, 'content-type: application/json']
    write(request('POST /v1/projects', [...headers, 'content-length: 1000000000']))
    expect(lastResponse(await until(isWhole)).status).toBe(413)
  })

  it('is refused as soon as it is too long, before its end arrives', async () => {
    const { wire, signIn } = await listen()
    const { cookie } = await signIn()
    const { write, until } = await wire()
    const headers = [`cookie: ${cookie}`, 'content-type: application/json', 'transfer-encoding: chunked']
    write(request('POST /v1/projects', headers, `${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n`))
    expect(lastResponse(await until(isWhole)).status).toBe(413)
  })
})

describe('a client that disconnects before its body is complete', () => {
  it.each(['while it is read', 'before it is read'])('is not logged as a fault, %s', async (when) => {
    const { app, wire, signIn, store, lines } = await listen()
    const { cookie } = await signIn()
    const gone = new Promise<void>((resolve) => {
      app.server.once('connection', (socket) => socket.once('close', () => resolve()))
    })
    const { write, end } = await wire()
    const deciding = new Promise<void>((resolve) => {
      const { caller } = store
      store.caller = async (sessionId) => {
        resolve()
        if (when === 'before it is read') await gone
        return caller(sessionId)
      }
    })
    write(post(cookie, '{"name":"Half"}').slice(0, -5))
    await deciding
    end()
    const logged = () => lines.map((line) => JSON.parse(line)).filter(({ operation }) => operation)
    const isRead = when === 'while it is read'
    await expect
      .poll(logged)
      .toEqual([
        expect.objectContaining({ operation: 'createProject', aborted: true }),
        ...(isRead ? [expect.objectContaining({ level: 20, msg: 'the client went away' })] : []),
      ])
    expect(logged()[0]).not.toHaveProperty('status')
  })
})
