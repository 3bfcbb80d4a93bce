import type { ChangeFeed } from '../change-feed.js'
import { changesAfter } from './batch-queries.js'
import type { ConnectionPool } from './connection-pool.js'

/**
 * What the triggers of the migrations noted since a mark, see `Changes`.
 * @param opened tells the file that is open from those that were: another file may have the same numbers
 */
export async function changesSince(
  db: Pick<ConnectionPool, 'find'>,
  opened: number,
  mark: string | undefined,
): ReturnType<ChangeFeed['since']> {
  const [knownFile, knownSchema, knownSerial = '0'] = mark?.split('.') ?? []
  const [[schema, last, scopes] = [0, 0, ['']]] = await db.find(changesAfter, knownSerial)
  // Who copies another database over this one, a backup for one, changes the version of the schema by it.
  const isKnown =
    Number(knownFile) === opened && Number(knownSchema) === schema && Number(knownSerial) <= last
  return {
    cursor: `${opened}.${schema}.${last}`,
    teams: isKnown && !scopes.includes('') ? scopes : undefined,
  }
}
