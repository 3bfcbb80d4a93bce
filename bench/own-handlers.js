// Measures the processor time of a request to a custom handler in the mock, with the log on, and in a plain server of MSW. The
// servers take turns, so that a disturbance affects both. Each runs in a separate process: in one process, the optimizer's
// assumptions about the code of MSW would change with each turn. `npm run bench:handlers [rounds]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { median } from './speed/statistics.js'

const requestsPerRound = 100
const baseUrl = 'http://front.test'
const lines = Array.from({ length: 20 }, (_, i) => ({ id: i, text: `line ${i}` }))
const handlers = [
  http.get(`${baseUrl}/api/invoices/:id`, ({ params }) => HttpResponse.json({ id: params.id, lines })),
  http.post(`${baseUrl}/api/invoices`, async ({ request }) =>
    HttpResponse.json(await request.json(), { status: 201 }),
  ),
]
const workloads = {
  GET: (i) => fetch(`${baseUrl}/api/invoices/${i}`),
  POST: () =>
    fetch(`${baseUrl}/api/invoices`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lines }),
    }),
}

/** Runs a server in this process. Receives names of workloads, and replies with the microseconds of a request. */
async function serve(inMock) {
  const { createMockServer } = await import('dashboard-api/node')
  const server = inMock ? createMockServer({ baseUrl, handlers }) : setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  process.on('message', async (name) => {
    const startedAt = process.cpuUsage()
    for (let i = 0; i < requestsPerRound; i += 1) await (await workloads[name](i)).json()
    const { user, system } = process.cpuUsage(startedAt)
    process.send((user + system) / requestsPerRound)
  })
  process.send('ready')
}

async function compare(rounds) {
  const [plain, mock] = ['plain', 'mock'].map((kind) => fork(import.meta.filename, [kind]))
  await Promise.all([plain, mock].map((child) => once(child, 'message')))
  const run = async (child, name) => {
    child.send(name)
    return (await once(child, 'message'))[0]
  }
  for (const name of Object.keys(workloads)) {
    const times = { plain: [], mock: [] }
    for (let i = -20; i < rounds; i += 1) {
      const first = i % 2 === 0
      const a = await run(first ? plain : mock, name)
      const b = await run(first ? mock : plain, name)
      const [without, within] = first ? [a, b] : [b, a]
      // The first rounds are a warm-up.
      if (i < 0) continue
      times.plain.push(without)
      times.mock.push(within)
    }
    const [alone, within] = [median(times.plain), median(times.mock)]
    console.log(
      `${name.padEnd(5)} ${alone.toFixed(0)} us with MSW alone, ${within.toFixed(0)} us in the mock: ${(within - alone).toFixed(0)} us more`,
    )
  }
  for (const child of [plain, mock]) child.disconnect()
}

const [, , argument = '100'] = process.argv
await (process.send ? serve(argument === 'mock') : compare(Number(argument)))
