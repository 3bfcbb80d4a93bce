import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { launchBrowser } from '../../test/browser/launch.js'
import { terminalSvg } from './terminal-svg.js'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const bin = fileURLToPath(new URL('../../bin/dashboard-api.js', import.meta.url))
const [columns, rows] = [104, 26]

/** A server of tmux's own for this run, so that ending it ends nothing else. */
const tmux = (...args: string[]) => run('tmux', ['-L', `pictures-${process.pid}`, ...args])
const screen = async () => (await tmux('capture-pane', '-e', '-p')).stdout

test('the pictures of the README: the terminal and the page of the mock', async () => {
  mkdirSync(folder, { recursive: true })
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, `node ${bin} dev`)
  try {
    const [, url = ''] = await shows(/(http:\/\/127\.0\.0\.1:\d+)/)
    await use(url)
    await shows(/\/v1\/waitlist/)
    writeFileSync(`${folder}terminal.svg`, terminalSvg(await screen(), columns))

    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 1280, height: 1080 } })
    await page.goto(`${url}/`)
    await page.getByText('/v1/waitlist').first().waitFor()
    await page.getByText('globex-owner').first().waitFor()
    await page.screenshot({ path: `${folder}page.png` })
    await browser.close()
  } finally {
    await tmux('kill-server')
  }
})

/** Waits until the screen shows something. */
async function shows(pattern: RegExp): Promise<RegExpMatchArray> {
  let shown = ''
  for (let tries = 0; tries < 150; tries++) {
    shown = await screen()
    const match = shown.match(pattern)
    if (match) return match
    await wait(100)
  }
  throw new Error(`The terminal never showed ${pattern}:\n${shown}`)
}

/** A few requests of a working day. */
async function use(url: string): Promise<void> {
  const ask = (path: string, as: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie: `session=${as}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  await ask('/v1/auth/me', 'acme-owner')
  await ask('/v1/projects', 'acme-owner')
  await ask('/v1/projects', 'acme-owner', { name: 'Roadmap' })
  await ask('/v1/projects', 'acme-owner', { name: 'ROADMAP' })
  await ask('/v1/projects', 'acme-viewer', { name: 'Budget' })
  await ask('/v1/projects', 'expired')
  await ask('/v1/waitlist', 'acme-owner', { email: 'ada@example.com' })
}
