import type { ControlName } from '../../mock/controls/control-endpoints.js'
import type { ControlInput } from '../../mock/controls/control-table.js'
import type { LogEntry } from '../../mock/log/log-entry.js'

/** Calls a control by its name, with an input that its schema has checked. */
export type Call = (name: ControlName, input?: unknown) => Promise<unknown>

/** Reads requests of the log, oldest first: the newest that a filter wants, or with `since` the oldest after it. */
export async function readLog(call: Call, { limit = 20, ...filter }: ControlInput<'log'> = {}) {
  const one = Number(limit)
  const found = (await call('log', { ...filter, limit: one + 1 })) as LogEntry[]
  const isForward = filter.since !== undefined
  const requests = isForward ? found.slice(0, one) : found.slice(-one)
  const [first, last] = [requests[0]?.id, requests.at(-1)?.id]
  return {
    requests,
    ...(found.length > one && {
      more: isForward ? `Read newer ones with since: ${last}.` : `Read older ones with before: ${first}.`,
    }),
  }
}

/** The last request that failed, whose bodies `read_request` shows; null if the log has none. */
export async function lastFailure(call: Call) {
  const [last] = (await readLog(call, { failed: true, limit: 1 })).requests
  if (!last) return null
  const { id, method, path, status, code, why, session, fault, about } = last
  return { id, method, path, status, code, why, session, fault, about }
}
