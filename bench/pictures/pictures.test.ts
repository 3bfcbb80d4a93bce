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

/** A separate tmux server, so that `kill-server` ends no other sessions. */
const tmux = (...args: string[]) => run('tmux', ['-L', `pictures-${process.pid}`, ...args])
const screen = async () => (await tmux('capture-pane', '-e', '-p')).stdout

test('the pictures of the documents: the terminal and the page of the mock', async () => {
  mkdirSync(folder, { recursive: true })
  await tmux('-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, `node ${bin} dev`)
  try {
    const [, url = ''] = await waitForText(/(http:\/\/[\w.]+:\d+)/)
    await sendRequests(url)
    await waitForText(/\/v1\/waitlist/)
    writeFileSync(`${folder}terminal.svg`, terminalSvg(await screen(), columns))
    const set = (path: string, body: object) =>
      fetch(`${url}/__dev/${path}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await set('scenarios', { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' })
    await set('delay', { target: 'listProjects', ms: 300 })

    const browser = await launchBrowser()
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
      await page.goto(`${url}/`)
      await page.getByRole('button', { name: 'You are' }).click()
      await page.getByRole('option', { name: /^acme-owner/ }).click()
      await page.getByRole('row').filter({ hasText: 'PATCH' }).click()
      await page.getByRole('row', { name: 'status active paused' }).waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      const suffix = colorScheme === 'dark' ? '-dark' : ''
      await page.screenshot({ path: `${folder}page${suffix}.png` })
      if (colorScheme === 'light') {
        await page.getByRole('link', { name: 'Data' }).click()
        await page.getByRole('gridcell', { name: 'Mobile app', exact: true }).dblclick()
        await page.getByLabel(/^name of /).fill('')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
        await page.screenshot({ path: `${folder}page-data.png` })
        await page.keyboard.press('Escape')
      }
    }
    await browser.close()
  } finally {
    await tmux('kill-server')
  }
})

/** Waits until the screen matches a pattern. */
async function waitForText(pattern: RegExp): Promise<RegExpMatchArray> {
  let text = ''
  for (let tries = 0; tries < 150; tries++) {
    text = await screen()
    const match = text.match(pattern)
    if (match) return match
    await wait(100)
  }
  throw new Error(`The terminal did not show ${pattern}:\n${text}`)
}

/** Sends some typical requests. */
async function sendRequests(url: string): Promise<void> {
  const send = (path: string, persona: string, body?: unknown, method = body ? 'POST' : 'GET') =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        cookie: `session=${persona}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  await send('/v1/auth/me', 'acme-owner')
  await send('/v1/projects', 'acme-owner')
  const made = await send('/v1/projects', 'acme-owner', { name: 'Roadmap' })
  const { project } = (await made.json()) as { project: { id: string } }
  await send('/v1/projects', 'acme-owner', { name: 'ROADMAP' })
  await send('/v1/projects', 'acme-viewer', { name: 'Budget' })
  await send('/v1/projects', 'expired')
  await send(`/v1/projects/${project.id}`, 'acme-owner', { name: 'Roadmap 2027', status: 'paused' }, 'PATCH')
  await send('/v1/waitlist', 'acme-owner', { email: 'ada@example.com' })
}
