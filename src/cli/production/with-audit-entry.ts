import type { AuditEvent } from '../../store/audit-log.js'
import { printMessage } from '../output/output.js'

/**
 * Does something with a SQLite file that changes no record, and records it in the file's audit log with its outcome. Where
 * that cannot be written, a message says so: a backup needs no right to write.
 */
export async function withAuditEntry<Result>(
  file: string,
  event: AuditEvent,
  act: () => Promise<Result>,
): Promise<Result> {
  const { recordInFile } = await import('../../store/sqlite/maintain.js')
  const record = (ended: AuditEvent) =>
    recordInFile(file, ended).catch((error: Error) =>
      printMessage(`hint: The audit log of ${file} has no entry of it: ${error.message}`),
    )
  let result: Result
  try {
    result = await act()
  } catch (error) {
    await record({ ...event, outcome: 'failure', reason: (error as Error).message })
    throw error
  }
  await record(event)
  return result
}
