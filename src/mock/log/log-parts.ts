import type { MockParts, PartOptions } from '../engine/mock-parts.js'
import { type LogEntry, toEntry } from './log-entry.js'
import { createLogWriter } from './log-writer.js'
import { createLog } from './request-log.js'

export type MockOptions = PartOptions & {
  /** The maximum number of logged requests, from 1 to 100,000. Default: 1,000. */
  logSize?: number
  /** Whether bodies of requests and responses are logged. Default: true. */
  logBodies?: boolean
  /** Called for each request. The response waits for it. */
  onRequest?(entry: LogEntry): void | Promise<void>
}

/** The parts of a mock, with its log. */
export type LoggedParts = MockParts & ReturnType<typeof createLogParts>

export function createLogParts(options: MockOptions, parts: MockParts) {
  const { targets, state, origins, guard, onStateChange } = parts
  const log = createLog(options.logSize)
  const writer = createLogWriter({
    log,
    targets,
    history: state.history,
    origins,
    space: options.space,
    logsBodies: options.logBodies ?? true,
    onRequest(entry) {
      const report = () => guard(() => options.onRequest?.(toEntry(entry)))
      return entry.before === entry.after ? report() : onStateChange().then(report)
    },
  })
  return { log, writer }
}
