import { insertInBatches } from '../sql-state.js'
import type { State, StateKind } from '../state-file.js'
import { storedColumns, toJson } from '../stored-columns.js'
import type { Connection } from './pg-connection.js'

/** The statement that adds records, given as JSON, in their order. */
export function insertFromJson(kind: StateKind, suffix: string): string {
  const names = storedColumns(kind)
  const values = names.map((_, i) => `item ->> ${i}`)
  return `INSERT INTO ${kind} (${names.join(', ')}) SELECT ${values.join(', ')}
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS items (item, number)
    ORDER BY number ${suffix}`
}

/**
 * Adds one record. Fails if its id exists.
 * @param suffix the end of the statement, for example ON CONFLICT or RETURNING
 * @returns the rows of RETURNING
 */
export const insert = <Row, Kind extends StateKind = StateKind>(
  connection: Connection,
  kind: Kind,
  record: State[Kind][number],
  suffix = '',
): Promise<Row[]> => connection.all<Row>(insertFromJson(kind, suffix), toJson(kind, [record]))

/** Adds the records whose ids do not exist, in their order. Returns the number of added records. */
export function insertMissing<Kind extends StateKind>(
  connection: Connection,
  kind: Kind,
  records: readonly State[Kind][number][],
): Promise<number> {
  const [id] = storedColumns(kind)
  // The key of a project begins with its team.
  const key = kind === 'projects' ? `team_id, ${id}` : id
  const sql = insertFromJson(kind, `ON CONFLICT (${key}) DO NOTHING`)
  return insertInBatches(kind, records, (json) => connection.run(sql, json))
}
