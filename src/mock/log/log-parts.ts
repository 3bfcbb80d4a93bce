import type { MockParts, PartOptions } from '../engine/mock-parts.js'
import { splitTarget } from '../engine/target-name.js'
import type { Part } from '../state/history.js'
import { type LogEntry, toEntry } from './log-entry.js'
import { createLogWriter } from './log-writer.js'
import { createLog, type ShownEntries } from './request-log.js'

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
  const { targets, scenarios, state, origins, guard, onStateChange } = parts
  const log = createLog(options.logSize)
  const writer = createLogWriter({
    log,
    targets,
    scenarios,
    timeline: state.timeline,
    origins,
    space: options.space,
    logsBodies: options.logBodies ?? true,
    onRequest(entry) {
      const report = () => guard(() => options.onRequest?.(toEntry(entry)))
      return entry.before === entry.after ? report() : onStateChange().then(report)
    },
  })
  const clearLog = () => {
    log.clear()
    targets.clear(scenarios.forced())
  }
  /** Counts the requests of the log, and their paths without a handler. */
  const countShown = () => {
    targets.clear(scenarios.forced())
    for (const { id, target, kind, status, time } of log.read())
      targets.count({ ...splitTarget(target), kind }, { entry: id, status, time }, scenarios.isForced)
  }
  const part: Part<ShownEntries> = {
    name: 'log',
    get: log.shown,
    set(next) {
      log.show(next)
      countShown()
      return undefined
    },
  }
  state.history.watch(part)
  state.history.follow(log.lastId)
  return { log, writer, clearLog, countShown }
}
