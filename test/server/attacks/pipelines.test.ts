import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../../cli/cli-process.js'
import { seededDatabase, serve } from '../serving.js'

async function serving() {
  const file = join(emptyFolder(), 'live.db')
  const { cookie } = await seededDatabase(file)
  const { url } = await serve(file, { DASHBOARD_API_LOG_LEVEL: 'silent' })
  return { url: new URL(url), cookie }
}

/** Sends as many requests for a path as fit into 64 KiB, and reads nothing until `read` is called. */
function pipeline(url: URL, path: string) {
  const request = `GET ${path} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`
  const count = Math.floor(65_536 / request.length)
  const socket = connect({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(request.repeat(count))
  socket.pause()
  return {
    count,
    /** How many answers had been made when the connection was closed. */
    async read(): Promise<number> {
      socket.on('data', (chunk: string) => {
        text += chunk
      })
      socket.resume()
      await closed
      return text.split('HTTP/1.1 200 OK').length - 1
    },
  }
}

describe('a pipeline of requests for large documents', () => {
  test('is closed after some 50 answers', async () => {
    const { url } = await serving()
    const { count, read } = pipeline(url, '/openapi.json')
    expect(count).toBeGreaterThan(1_000)
    expect(await read()).toBeLessThanOrEqual(64)
  })

  test('does not lock other clients out, unread on several connections', async () => {
    const { url, cookie } = await serving()
    for (let i = 0; i < 5; i += 1) pipeline(url, '/openapi.json')
    for (let i = 0; i < 20; i += 1) {
      // Each on a connection of its own. They waited for 11 seconds.
      const headers = { cookie, connection: 'close' }
      const response = await fetch(new URL('/v1/projects', url), { headers })
      expect(response.status).toBe(200)
      await response.arrayBuffer()
    }
  })

  test('of ordinary length is answered whole', async () => {
    const { url } = await serving()
    const socket = connect({ host: url.hostname, port: Number(url.port) })
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`.repeat(40))
    await expect.poll(() => text.split('HTTP/1.1 200 OK').length - 1).toBe(40)
  })
})
