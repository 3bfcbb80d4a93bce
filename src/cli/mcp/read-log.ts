import type * as z from 'zod'
import type { ControlName } from '../../mock/http/control-endpoints.js'
import type { logInput } from './tools.js'

/** Calls a control by its name, with an input that its schema has checked. */
export type Call = (name: ControlName, input?: unknown) => Promise<unknown>

/** The newest entries of the log that a filter wants, oldest first. */
export async function readLog(
  call: Call,
  { before, limit = 20, failed }: Omit<z.infer<typeof logInput>, 'continueAt'>,
) {
  const entries = (await call('log')) as { id: number; status: number }[]
  const wanted = entries.filter(
    ({ id, status }) => (!before || id < before) && (!failed || status === 0 || status >= 400),
  )
  const requests = wanted.slice(-limit)
  const older = wanted.length - requests.length
  return {
    requests,
    ...(older > 0 && { older: `${older} older; read them with before: ${requests[0]?.id}` }),
  }
}
