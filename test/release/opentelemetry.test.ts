import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bin, emptyFolder, listening, sessionSecret, startProcess } from '../cli/cli-process.js'
import { seededDatabase } from '../server/serving.js'
import { createDatabase, noPostgres } from '../store/postgres/postgres-database.js'

type Value = { stringValue?: string; intValue?: number }
type OtlpSpan = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Value }[]
}
type Export = {
  resourceSpans: { scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[] }[]
}
type Span = Omit<OtlpSpan, 'attributes'> & { by: string; attributes: Record<string, unknown> }

/** `SPAN_KIND_SERVER` and `SPAN_KIND_CLIENT` of OTLP. */
const serverKind = 2
const clientKind = 3

const instrumentation = (name: string) => `@opentelemetry/instrumentation-${name}`

/** Receives spans over OTLP/HTTP, as JSON. */
async function startCollector() {
  const spans: Span[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    request.on('end', () => {
      const { resourceSpans }: Export = JSON.parse(text)
      for (const { scope, spans: sent } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
        for (const { attributes, ...span } of sent) {
          const values = attributes.map(({ key, value }) => [key, Object.values(value)[0]])
          spans.push({ ...span, by: scope.name, attributes: Object.fromEntries(values) })
        }
      }
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans }
}

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const [, flags = ''] =
  /^node (--import \S+) node_modules\/dashboard-api\/bin\/dashboard-api.js serve$/m.exec(page) ?? []
const variables = [...page.matchAll(/^export (OTEL_\w+)=(\S+)/gm)].map(([, name, value]) => [name, value])

/** The service as docs/operations.md starts it with OpenTelemetry's instrumentation, with another collector. */
async function serveInstrumented(database: string, collector: string) {
  const [flag = '', name = ''] = flags.split(' ')
  const args = [flag, createRequire(import.meta.url).resolve(name), bin, 'serve', '--port', '0', '--json']
  const running = startProcess(process.execPath, args, {
    env: {
      ...Object.fromEntries(variables),
      DASHBOARD_API_SESSION_SECRET: sessionSecret,
      DASHBOARD_API_DATABASE: database,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  })
  return { ...running, url: await listening(running) }
}

describe("OpenTelemetry's zero-code instrumentation", () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parentSpanId = '00f067aa0ba902b7'
  const traceparent = `00-${traceId}-${parentSpanId}-01`

  it('exports the span of a request, and puts its ids into the log', async () => {
    const file = join(emptyFolder(), 'dashboard.db')
    const { cookie } = await seededDatabase(file)
    const { url: collector, spans } = await startCollector()
    const { url, until, child, ended } = await serveInstrumented(file, collector)
    const response = await fetch(`${url}/v1/projects`, { headers: { cookie, traceparent } })
    expect(response.status).toBe(200)
    const requests = () => spans.filter(({ by }) => by === instrumentation('http'))
    await expect
      .poll(requests)
      .toEqual([expect.objectContaining({ kind: serverKind, name: 'GET', traceId, parentSpanId })])
    expect(requests()[0]?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'url.path': '/v1/projects',
      'http.response.status_code': 200,
    })
    const [line] = await until('stdout', /^.*"operation":"listProjects".*$/m)
    expect(JSON.parse(line)).toMatchObject({ trace_id: traceId, span_id: requests()[0]?.spanId })
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  it.skipIf(noPostgres)('exports the statements of PostgreSQL that a request runs', async () => {
    const database = await createDatabase()
    onTestFinished(() => database.drop())
    const { url: collector, spans } = await startCollector()
    const { url } = await serveInstrumented(database.url, collector)
    const response = await fetch(`${url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent },
      body: '{"email":"ada@acme.example"}',
    })
    expect(response.status).toBe(200)
    const spansOf = (name: string) =>
      spans.filter(({ by, traceId: trace }) => by === instrumentation(name) && trace === traceId)
    await expect.poll(() => spansOf('http')).toHaveLength(1)
    const [request] = spansOf('http')
    const statement = {
      kind: clientKind,
      parentSpanId: request?.spanId,
      attributes: expect.objectContaining({
        'db.system.name': 'postgresql',
        'db.query.text': expect.stringContaining('INSERT INTO waitlist'),
      }),
    }
    await expect.poll(() => spansOf('pg')).toContainEqual(expect.objectContaining(statement))
    // The statements have placeholders instead of values.
    expect(JSON.stringify(spans)).not.toContain('ada@acme')
  })
})
