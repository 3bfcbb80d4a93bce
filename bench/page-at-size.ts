import { startDevServer } from '../src/mock/http/dev-server.js'
import { emptyState } from '../src/store/state-file.js'
import { launchBrowser } from '../test/browser/launch.js'

// How the mock's page does with 10,000 requests in the log and 10,000 projects, in a real browser.

const size = 10_000
const team = { id: 't', name: 'Acme', orgCode: 'org_acme' }
const user = { id: 'u', email: 'ada@acme.example', givenName: 'Ada', familyName: 'Osei', picture: '' }
const session = { id: 'ada', userId: 'u', orgCode: 'org_acme', permissions: ['update:projects'] }
const projects = Array.from({ length: size }, (_, i) => ({
  id: `p-${i}`,
  name: `Project ${i}`,
  description: i % 3 ? `The ${i}th of many` : null,
  status: ['active', 'paused', 'completed'][i % 3] ?? '',
  teamId: 't',
  createdAt: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
}))
const fixtures = { ...emptyState(), teams: [team], users: [user], sessions: [session], projects }

const server = await startDevServer({ fixtures, port: 0, logSize: size })
const send = (i: number) =>
  fetch(`${server.url}/v1/projects/p-${i}`, {
    method: 'PATCH',
    headers: { cookie: 'session=ada', 'content-type': 'application/json' },
    body: JSON.stringify(i % 7 ? { name: `Project ${i}`, status: 'active' } : { name: '' }),
  }).then((response) => response.arrayBuffer())
for (let i = 0; i < size; i += 50) await Promise.all(Array.from({ length: 50 }, (_, k) => send(i + k)))

const browser = await launchBrowser()
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
/** The longest tasks of the page, in milliseconds, since the last call. */
const longTasks = () =>
  page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0).sort((a, b) => b - a))
await page.addInitScript(() => {
  const tasks: number[] = []
  Object.assign(globalThis, { tasks })
  new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
  ).observe({
    type: 'longtask',
    buffered: true,
  })
})
const results: Record<string, string> = {}
async function measure(title: string, act: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  await act()
  const ms = Math.round(performance.now() - start)
  // The observer reports a task some time after it has ended.
  await page.waitForTimeout(300)
  const [longest = 0, ...others] = await longTasks()
  results[title] =
    `${ms} ms, tasks of more than 50 ms: ${longest ? others.length + 1 : 0}${longest ? `, the longest ${longest} ms` : ''}`
}

await measure('the page, with the first requests', async () => {
  await page.goto(`${server.url}/`)
  await page.locator('.log-row').first().waitFor()
})
await measure('the whole log', () => page.getByText(`${size.toLocaleString('en')} requests`).waitFor())
await measure('a search in the log, typed', async () => {
  await page.getByLabel('Search in the log').pressSequentially('422 validation')
  await page.getByText(/^1,429 of/).waitFor()
})
await measure('the log, scrolled through', () =>
  page.evaluate(async () => {
    const scroller = document.getElementById('log-scroller')
    for (let i = 0; i <= 60 && scroller; i++) {
      scroller.scrollTop = (scroller.scrollHeight * i) / 60
      await new Promise(requestAnimationFrame)
    }
  }),
)
await measure('the data, with the first projects', async () => {
  await page.getByRole('link', { name: 'Data' }).click()
  await page.getByRole('gridcell', { name: 'Project 0', exact: true }).waitFor()
})
await measure('a search in the data, typed', async () => {
  await page.getByLabel('Search in the data').pressSequentially('project 99')
  await page.getByText(/^111 of 10,000 projects/).waitFor()
})
await page.getByLabel('Search in the data').fill('')
await measure('the data, sorted', async () => {
  await page.getByRole('button', { name: 'createdAt' }).click()
  await page.getByRole('button', { name: 'createdAt' }).click()
  await page.getByRole('gridcell', { name: 'Project 9999', exact: true }).waitFor()
})
await measure('the data, scrolled through', () =>
  page.evaluate(async () => {
    const scroller = document.getElementById('grid-scroller')
    for (let i = 0; i <= 60 && scroller; i++) {
      scroller.scrollTop = (scroller.scrollHeight * i) / 60
      await new Promise(requestAnimationFrame)
    }
  }),
)
console.table(results)
await browser.close()
await server.close()
process.exit(0)
