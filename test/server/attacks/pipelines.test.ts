import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../../cli/cli-process.js'
import { seededDatabase, serve } from '../serving.js'
import { experienceOf } from './experience.js'

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

  test('does not stall other clients, unread on several connections', async () => {
    const [attacked, other] = await Promise.all([serving(), serving()])
    for (let i = 0; i < 5; i += 1) pipeline(attacked.url, '/openapi.json')
    const experience = ({ url, cookie }: typeof other) =>
      experienceOf(new URL('/v1/projects', url), 2_000, { cookie })
    const [{ sent, served, p99 }, control] = await Promise.all([experience(attacked), experience(other)])
    expect(served).toBe(sent)
    // It was 11 seconds. Where the other server is slow too, the machine is.
    expect(p99).toBeLessThan(Math.max(1_000, 10 * control.p99))
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
