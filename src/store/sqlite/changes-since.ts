import type { Changes } from '../changes.js'
import type { Connections } from './connections.js'
import { changesAfter } from './lookups.js'

/**
 * What the triggers of the migrations noted since a mark, see `Changes`.
 * @param opened tells the file that is open from those that were: another file may have the same numbers
 */
export async function changesSince(
  db: Pick<Connections, 'find'>,
  opened: number,
  mark: string | undefined,
): ReturnType<Changes['since']> {
  const [knownFile, knownSchema, knownSerial = '0'] = mark?.split('.') ?? []
  const [[schema, last, scopes] = [0, 0, ['']]] = await db.find(changesAfter, knownSerial)
  // Who copies another database over this one, a backup for one, changes the version of the schema by it.
  const isKnown =
    Number(knownFile) === opened && Number(knownSchema) === schema && Number(knownSerial) <= last
  return {
    mark: `${opened}.${schema}.${last}`,
    teams: isKnown && !scopes.includes('') ? scopes : undefined,
  }
}
