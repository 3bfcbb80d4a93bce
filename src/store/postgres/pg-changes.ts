import type { ChangeFeed } from '../change-feed.js'
import type { Connection } from './pg-connection.js'
import type { PostgresPool } from './pg-pool.js'

/**
 * What the triggers of the migrations recorded in transactions that an earlier snapshot does not show. A snapshot shows
 * exactly what was committed before it: a commit that was acknowledged is never missed, in whichever order transactions
 * began. Another server, a restarted one, or another table of that name has transactions of its own. The snapshot of a
 * standby does not list the transactions in progress: nothing is known of what came after it.
 */
const changesAfter = `SELECT pg_current_snapshot()::text AS snapshot,
    concat(extract(epoch FROM pg_postmaster_start_time()), '/', 'changes'::regclass::oid,
      CASE WHEN pg_is_in_recovery() THEN '/' || extract(epoch FROM clock_timestamp()) END) AS source,
    ARRAY(
      SELECT scope FROM changes WHERE changed_in >= pg_snapshot_xmin($1::text::pg_snapshot)
        AND NOT pg_visible_in_snapshot(changed_in, $1::text::pg_snapshot)
    ) AS scopes`

type Row = { snapshot: string; source: string; scopes: string[] }

/** Reads what the commits after a cursor changed, see `ChangeFeed`. It has no version: telling one is a query too. */
export const createPostgresFeed = (db: Pick<PostgresPool, 'repeat'>): ChangeFeed => ({
  async since(cursor) {
    const [knownSource, knownSnapshot = null] = cursor?.split(' ') ?? []
    const read = (connection: Connection) => connection.all<Row>(changesAfter, knownSnapshot)
    const [{ snapshot, source, scopes } = { snapshot: '', source: '', scopes: [''] }] = await db.repeat(read)
    const isKnown = source === knownSource && !scopes.includes('')
    return { cursor: `${source} ${snapshot}`, teams: isKnown ? scopes : undefined }
  },
})
