import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Answered } from '../http/http-response.js'
import { createHistogram } from './histogram.js'
import { createAnswerTally } from './request-metrics.js'

/** What is measured as it happens; times in milliseconds. */
export type Metrics = {
  answered(answer: Answered): void
  stored(call: { method: string; ms: number }): void
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>
  contentType: string
}

/** What is asked for when the metrics are read. */
export type Gauges = { waitingWrites(): number; openSessions(): Promise<number> }

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one server, in a registry of their own. No label has a value that a caller chooses. */
export function createMetrics({ waitingWrites, openSessions }: Gauges): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const answers = createAnswerTally(seconds)
  const stored = createHistogram(
    'dashboard_api_store_duration_seconds',
    'Time that the store took, waiting in its queue included, by method.',
    'method',
    seconds,
  )
  new Gauge({
    name: 'dashboard_api_store_waiting_writes',
    help: 'Writes that wait for their turn.',
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
    answered: answers.add,
    stored: ({ method, ms }) => stored.observe(method, ms),
    text: async () => answers.text() + stored.text() + (await registry.metrics()),
    contentType: registry.contentType,
  }
}
