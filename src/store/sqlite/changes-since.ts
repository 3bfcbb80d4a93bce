import type { ChangeFeed } from '../change-feed.js'
import { changesAfter } from './batch-queries.js'
import type { ConnectionPool } from './connection-pool.js'

/**
 * Reads what the triggers of the migrations recorded after a cursor, see `ChangeFeed`.
 * @param generation identifies the open file: another file may have the same serials
 */
export async function changesSince(
  db: Pick<ConnectionPool, 'readByKey'>,
  generation: number,
  cursor = '',
): ReturnType<ChangeFeed['since']> {
  const [knownFile, knownSchema, knownSerial = '0'] = cursor.split('.')
  const rows = await db.readByKey(changesAfter, knownSerial)
  const [schema, last, scopes] = rows[0] as (typeof rows)[number]
  // Another database copied over this one, for example from a backup, changes the version of the schema.
  const isKnown =
    Number(knownFile) === generation && Number(knownSchema) === schema && Number(knownSerial) <= last
  return {
    cursor: `${generation}.${schema}.${last}`,
    teams: isKnown && !scopes.includes('') ? scopes : undefined,
  }
}
