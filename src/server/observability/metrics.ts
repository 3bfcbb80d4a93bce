import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CompletedRequest } from './access-log.js'

/** What is measured as it happens; times in milliseconds. */
export type Metrics = {
  onRequestComplete(request: CompletedRequest): void
  onStoreCall(call: { method: string; ms: number }): void
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
  contentType: string
}

/** What is measured when the metrics are read. */
export type Gauges = { waitingWrites(): number; openSessions(): Promise<number> }

/** In seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one server, in a registry of their own. No label has a value that a caller chooses. */
export function createMetrics({ waitingWrites, openSessions }: Gauges): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'dashboard_api_requests_total',
    help: 'Requests by operation and status; the operation is empty where there is no such path.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const requestTimes = new Histogram({
    name: 'dashboard_api_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by operation.',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  const storeTimes = new Histogram({
    name: 'dashboard_api_store_duration_seconds',
    help: 'Time of calls of the store, with the time in its queue, by method.',
    labelNames: ['method'],
    buckets,
    registers,
  })
  new Gauge({
    name: 'dashboard_api_store_waiting_writes',
    help: 'Writes that wait in the queue of the store.',
    registers,
    collect() {
      this.set(waitingWrites())
    },
  })
  new Gauge({
    name: 'dashboard_api_open_sessions',
    help: 'Sessions that are neither revoked nor expired; NaN where the database cannot be read.',
    registers,
    async collect() {
      this.set(await openSessions().catch(() => Number.NaN))
    },
  })

  return {
    onRequestComplete({ operation = '', status, ms }) {
      requests.inc({ operation, status })
      requestTimes.observe({ operation }, ms / 1000)
    },
    onStoreCall: ({ method, ms }) => storeTimes.observe({ method }, ms / 1000),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
