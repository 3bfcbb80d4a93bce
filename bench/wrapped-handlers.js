// The processor time that a request to a handler of one's own takes when the mock wraps it, with the log on, compared with the same
// handler in a server of MSW alone. Both run in turn in one process, so that a disturbance affects both.
// `npm run bench:handlers [rounds]`
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { median } from './speed/statistics.js'

const { createMockServer } = await import('dashboard-api/node')

const limit = 1.1
const rounds = Number(process.argv[2] ?? 60)
const requestsPerRound = 100
const baseUrl = 'http://front.test'
const lines = Array.from({ length: 20 }, (_, i) => ({ id: i, text: `line ${i}` }))
const handlers = () => [
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

/** Microseconds of the processor for each request of a round. */
async function run(server, send) {
  server.listen({ onUnhandledRequest: 'error' })
  const startedAt = process.cpuUsage()
  for (let i = 0; i < requestsPerRound; i += 1) await (await send(i)).json()
  const { user, system } = process.cpuUsage(startedAt)
  server.close()
  return (user + system) / requestsPerRound
}

let isWithin = true
for (const [name, send] of Object.entries(workloads)) {
  const plain = setupServer(...handlers())
  const mock = createMockServer({ baseUrl, handlers: handlers() })
  for (let i = 0; i < 5; i += 1) for (const server of [plain, mock]) await run(server, send)
  const times = { plain: [], wrapped: [], ratios: [] }
  for (let i = 0; i < rounds; i += 1) {
    const first = i % 2 === 0
    const a = await run(first ? plain : mock, send)
    const b = await run(first ? mock : plain, send)
    const [without, wrapped] = first ? [a, b] : [b, a]
    times.plain.push(without)
    times.wrapped.push(wrapped)
    times.ratios.push(wrapped / without)
  }
  const ratio = median(times.ratios)
  isWithin &&= ratio <= limit
  console.log(
    `${name.padEnd(5)} ${median(times.plain).toFixed(0)} us with MSW alone, ${median(times.wrapped).toFixed(0)} us wrapped: ` +
      `${((ratio - 1) * 100).toFixed(1)} % more (at most ${((limit - 1) * 100).toFixed(0)} %)`,
  )
}
process.exitCode = isWithin ? 0 : 1
