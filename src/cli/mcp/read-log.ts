import type * as z from 'zod'
import type { ControlName } from '../../mock/controls/control-endpoints.js'
import { isFailed } from '../../mock/log/is-failed.js'
import type { LogEntry } from '../../mock/log/log-entry.js'
import type { logInput } from './tools.js'

/** Calls a control by its name, with an input that its schema has checked. */
export type Call = (name: ControlName, input?: unknown) => Promise<unknown>

/** The newest entries of the log that a filter wants, oldest first. */
export async function readLog(
  call: Call,
  { before, limit = 20, failed }: Omit<z.infer<typeof logInput>, 'continueAt'>,
) {
  const entries = (await call('log')) as LogEntry[]
  const wanted = entries.filter((entry) => (!before || entry.id < before) && (!failed || isFailed(entry)))
  const requests = wanted.slice(-limit)
  const older = wanted.length - requests.length
  return {
    requests,
    ...(older > 0 && { older: `${older} older; read them with before: ${requests[0]?.id}` }),
  }
}

/** The last request that failed, whose bodies `read_request` shows; null if the log has none. */
export async function lastFailure(call: Call) {
  const [last] = (await readLog(call, { failed: true, limit: 1 })).requests
  if (!last) return null
  const { id, method, path, status, code, why, session, fault, about } = last
  return { id, method, path, status, code, why, session, fault, about }
}
