// The page of the mock under load (`npm run bench:page`): 2,000 requests in 20 seconds, at the speed of this machine and on a
// processor that is four times as slow, while the page follows the newest request and while it shows an older one; then 10,000
// requests as fast as the mock answers. `PROFILE=FILE` writes a CPU profile of the page, of the last of the rounds of 20 seconds.
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { onTestFinished, test } from 'vitest'
import { launchBrowser } from '../../test/browser/launch.js'
import { start } from '../../test/cli/cli-process.js'

const personas = ['acme-owner', 'acme-viewer']
const project = (name: string) => ({ method: 'POST', body: JSON.stringify({ name }) })
/** One in ten creates a project, two are refused, the others read. */
const mix = (i: number): [path: string, init?: RequestInit] =>
  i % 10 === 0
    ? ['/v1/projects', project(`Project ${i}`)]
    : i % 5 === 1
      ? ['/v1/projects', project('')]
      : [i % 2 === 0 ? '/v1/projects' : '/v1/auth/me']

let sent = 0
async function send(url: string): Promise<void> {
  sent += 1
  const [path, init] = mix(sent)
  const cookie = `session=${personas[Math.floor(sent / 20) % personas.length]}`
  const response = await fetch(url + path, {
    ...init,
    headers: { cookie, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
}

/** Sends requests at a steady rate, whatever the answers take. */
async function sendSteadily(url: string, count: number, ms: number): Promise<void> {
  const from = performance.now()
  const pending: Promise<void>[] = []
  for (let i = 0; i < count; i += 1) {
    const early = from + (i * ms) / count - performance.now()
    if (early > 0) await setTimeout(early)
    pending.push(send(url))
  }
  await Promise.all(pending)
}

type Watched = {
  frames: number[]
  longTasks: number[]
  /** Frames in which the selected row was elsewhere than in the one before. */
  jumps: number
  isOver: boolean
}
declare global {
  var watched: Watched
}

/** Notes the time between frames, long tasks, and the place of the selected row, in the page. */
const watchPage = () => {
  const watched: Watched = { frames: [], longTasks: [], jumps: 0, isOver: false }
  globalThis.watched = watched
  const observer = new PerformanceObserver((list) => {
    watched.longTasks.push(...list.getEntries().map(({ duration }) => duration))
  })
  observer.observe({ type: 'longtask' })
  let place: { id: string; top?: number } | null = null
  let before = performance.now()
  const frame = (now: number) => {
    if (watched.isOver) return observer.disconnect()
    watched.frames.push(now - before)
    before = now
    const row = document.querySelector('#log [aria-selected=true]')
    const top = row?.getBoundingClientRect().top
    if (place && place.id === row?.id && place.top !== top) watched.jumps += 1
    place = row && { id: row.id, top }
    return requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Selects a request further down, in the page, so that it shows an older one while others arrive. */
async function selectOlder() {
  const scroller = document.querySelector('#log')?.parentElement
  if (!scroller) return
  scroller.scrollTop = 900
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const { left, top } = scroller.getBoundingClientRect()
  for (const y of [100, 130, 160]) {
    const row = document.elementFromPoint(left + 200, top + y)?.closest<HTMLElement>('.log-row')
    if (row) return row.click()
  }
}

const seconds = async (devtools: CDPSession) => {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    task: of('TaskDuration'),
    script: of('ScriptDuration'),
    style: of('RecalcStyleDuration'),
    layout: of('LayoutDuration'),
  }
}

async function measure(page: Page, devtools: CDPSession, act: () => Promise<void>) {
  await page.evaluate(watchPage)
  const before = await seconds(devtools)
  await act()
  const after = await seconds(devtools)
  const { frames, longTasks, jumps } = await page.evaluate(() => {
    globalThis.watched.isOver = true
    return globalThis.watched
  })
  const sorted = frames.toSorted((a, b) => a - b)
  const whole = (ms: number | undefined) => Math.round(ms ?? 0)
  const used = (name: keyof typeof before) => Number((after[name] - before[name]).toFixed(2))
  return {
    'frame p50': whole(sorted[Math.floor(sorted.length / 2)]),
    'frame p99': whole(sorted[Math.floor(sorted.length * 0.99)]),
    'longest frame': whole(sorted.at(-1)),
    'tasks over 100 ms': longTasks.filter((ms) => ms > 100).length,
    'longest task': whole(Math.max(0, ...longTasks)),
    jumps,
    'CPU s': used('task'),
    script: used('script'),
    style: used('style'),
    layout: used('layout'),
  }
}

test('the page of the mock under load', async () => {
  const mock = start(['dev', '--port', '0'])
  const [url = ''] = await mock.until('stderr', /http:\/\/localhost:\d+/)
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  await page.getByText('Connected to').waitFor({ state: 'attached' })
  await sendSteadily(url, 200, 2000)

  const rows: Record<string, object> = {}
  for (const slower of [1, 4]) {
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
    for (const follows of [true, false]) {
      const follow = page.getByRole('button', { name: 'Follow' })
      if ((await follow.getAttribute('aria-pressed')) !== String(follows)) await follow.click()
      const isProfiled = process.env.PROFILE && slower > 1 && !follows
      if (isProfiled) {
        await devtools.send('Profiler.enable')
        await devtools.send('Profiler.start')
      }
      const title = `${follows ? 'follows the newest' : 'an older one'}${slower > 1 ? `, ${slower} times as slow` : ''}`
      rows[title] = await measure(page, devtools, async () => {
        // The log has a thousand requests: an older one is selected before it has left the log.
        for (let i = 0; i < 4; i += 1) {
          if (!follows) await page.evaluate(selectOlder)
          await sendSteadily(url, 500, 5000)
        }
      })
      if (isProfiled) {
        const { profile } = await devtools.send('Profiler.stop')
        writeFileSync(process.env.PROFILE ?? '', JSON.stringify(profile))
      }
    }
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  console.table(rows)

  const memory: Record<string, object> = {}
  for (let count = 0; count <= 10_000; count += 2000) {
    if (count > 0)
      for (let i = 0; i < 200; i += 1) await Promise.all(Array.from({ length: 10 }, () => send(url)))
    await page.getByText(`${(1000).toLocaleString('en')} requests`).waitFor({ state: 'attached' })
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
    memory[count] = { 'heap MB': Number((usedSize / 1e6).toFixed(1)), nodes, listeners: jsEventListeners }
  }
  console.table(memory)
  console.log(`Frames and tasks in ms. Load average: ${loadavg()[0]?.toFixed(1)}.`)
})
