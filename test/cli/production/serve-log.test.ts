import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../../bench/free-port.js'
import { noMounts, smallDisk } from '../../store/small-disk.js'
import { bin, emptyFolder, sessionSecret, startProcess } from '../cli-process.js'

/** Starts `serve` with a redirection of the shell. */
const serveTo = (redirection: string) =>
  startProcess('/bin/sh', ['-c', `exec "$0" "$1" serve --port 0 ${redirection}`, process.execPath, bin], {
    cwd: emptyFolder(),
    env: { DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_DATABASE: 'live.db' },
  })

type Server = ReturnType<typeof serveTo>

const listening = async ({ until }: Server) => (await until('stderr', /listens at (http:\S+)/))[1] as string

/** Sends requests until a promise resolves. Each request must be answered. */
async function requestUntil(url: string, event: Promise<unknown>) {
  let hasHappened = false
  const happened = event.then(() => {
    hasHappened = true
  })
  while (!hasHappened) expect((await fetch(`${url}/v1/auth/me`)).status).toBe(401)
  await happened
}

async function stop({ child, ended }: Server) {
  child.kill('SIGTERM')
  return ended
}

describe('the log of serve', () => {
  test.skipIf(!existsSync('/dev/full'))('that cannot be written is a warning, without a stack', async () => {
    const server = serveTo('> /dev/full')
    const url = await listening(server)
    await server.until('stderr', /warning: The log cannot be written/)
    // A busy machine may make it refuse requests for a moment.
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
    const { code, stderr } = await stop(server)
    expect(code).toBe(0)
    expect(stderr.match(/warning: .*/g)).toEqual([
      'warning: The log cannot be written, and is lost until it can be: ENOSPC: no space left on device, write.',
    ])
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test.skipIf(noMounts)(`continues after its disk was full${noMounts ? `: ${noMounts}` : ''}`, async () => {
    const { path } = smallDisk('64k')
    const log = join(path, 'serve.log')
    const server = serveTo(`>> ${log}`)
    const url = await listening(server)
    await requestUntil(url, server.until('stderr', /The log cannot be written/))
    writeFileSync(log, '')
    await requestUntil(url, server.until('stderr', /The log can be written again/))
    expect(readFileSync(log, 'utf8')).toContain('"status":401')
    expect((await stop(server)).code).toBe(0)
  })

  test('is lost if its reader has ended, and the service continues', async () => {
    const server = serveTo('')
    const url = await listening(server)
    server.child.stdout?.destroy()
    await requestUntil(url, server.until('stderr', /The log cannot be written/))
    // A busy machine may make it refuse requests for a moment.
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await stop(server)).code).toBe(0)
  })

  test.skipIf(!existsSync('/dev/full'))('may be lost together with the warnings', async () => {
    const port = await freePort()
    const server = serveTo(`--port ${port} > /dev/full 2>&1`)
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady).toBe(true)
    expect((await stop(server)).code).toBe(0)
  })
})
