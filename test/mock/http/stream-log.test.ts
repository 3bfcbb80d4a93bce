import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../../../src/mock/http/dev-server.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { parseState } from '../../../src/store/state-file.js'
import { bin } from '../../cli/cli-process.js'

async function start() {
  const server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
  onTestFinished(() => server.close())
  return server
}

/** Follows the log without ever reading. */
async function followUnread(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write('GET /__dev/log/follow HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await once(socket, 'readable')
  return socket
}

const post = (url: string, body: string) =>
  fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { cookie: 'session=acme-viewer', 'content-type': 'application/json' },
    body,
  }).then((response) => response.arrayBuffer())

test('the stream of the log refuses an invalid number to begin after', async () => {
  const { url } = await start()
  for (const since of ['abc', '-1', '1.5', '']) {
    const response = await fetch(`${url}/__dev/log/follow?since=${since}`)
    expect([response.status, await response.json()]).toEqual([
      422,
      { error: 'Expected a whole number from 0. Invalid: since.' },
    ])
  }
})

describe('followers of the log', () => {
  test('are at most 50: for another one, the oldest is disconnected', async () => {
    const { url } = await start()
    await post(url, '{}')
    const abort = new AbortController()
    const follow = () => createControlClient(url).follow(abort.signal, 0)
    const [oldest, others] = [follow(), follow()]
    // In sequence: the first one is the oldest.
    await oldest.next()
    await others.next()
    for (let i = 0; i < 49; i++) await follow().next()
    await expect(oldest.next()).rejects.toThrow()
    await post(url, '{}')
    expect(await others.next()).toMatchObject({ value: { request: { id: 2 } } })
    abort.abort()
  })

  test('get all entries, even with multi-byte characters, however slowly they read', async () => {
    const { url, mock } = await start()
    const body = JSON.stringify({ name: '€𝒜'.repeat(4000) })
    for (let i = 0; i < 30; i++) await post(url, body)
    let count = 0
    for await (const event of createControlClient(url).follow(new AbortController().signal, 0)) {
      const expected = (await mock.controls.log.read())[count]
      expect(event).toEqual({ request: expected })
      count += 1
      if (count === 30) break
    }
  })

  test('that do not read use at most 64 MB in all', async () => {
    const report = new URL('../report-memory.js', import.meta.url).href
    const child = fork(bin, ['dev', '--port', '0', '--json'], {
      execArgv: ['--expose-gc', '--import', report],
      silent: true,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdout?.resume()
    const [{ url }] = await once(child, 'message')
    const memory = async () => {
      child.send('measure')
      const [{ bytes }] = await once(child, 'message')
      return bytes / 1024 / 1024
    }
    const load = async () => {
      const body = `"${'x'.repeat(30_000)}"`
      for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 10 }, () => post(url, body)))
    }
    await load()
    const before = await memory()
    await Promise.all(Array.from({ length: 256 }, () => followUnread(url)))
    await load()
    const used = (await memory()) - before
    expect(used).toBeLessThan(64)
  })
})
