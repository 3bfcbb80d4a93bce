import { StoreUnavailableError } from '../store.js'

/** Queries that identify a server. Managed servers refuse some of them. */
const facts = {
  /** The identifier of the cluster, which its standbys share. */
  system: 'SELECT system_identifier::text AS value FROM pg_control_system()',
  /** A promoted server has a higher timeline than the primary before it; at first without a checkpoint. */
  timeline: `SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS value`,
}
type Fact = keyof typeof facts

/** What the warning says if a fact cannot be read. */
const untold: Record<Fact, string> = {
  system: 'whether it is another database than before (pg_control_system)',
  timeline: 'whether it was replaced by a promoted server (pg_current_wal_lsn)',
}

/** The errors of a server that does not provide a fact: no right, not found, unsupported, or in recovery. */
const refusal = /^(42501|42883|42P01|0A000|55000)$/

/** Runs a query of one row. */
type Ask = <Row extends object>(sql: string) => Promise<Row | undefined>

/**
 * Makes a function that checks the server of a new connection. It refuses a server in recovery, and a server that is older
 * than the previous one or another cluster: it lacks acknowledged writes.
 * @param onWarning called once for each fact that cannot be read
 * @returns a function that resolves to whether the server is newer than the previous one, as after a failover
 */
export function createFence(onWarning: (warning: string) => void): (ask: Ask) => Promise<boolean> {
  const seen: { system?: string | number; timeline: number } = { timeline: 0 }
  const unreadable = new Set<Fact>()

  const read = async (ask: Ask, fact: Fact) => {
    if (unreadable.has(fact)) return undefined
    try {
      return (await ask<{ value: string | number }>(facts[fact]))?.value
    } catch (error) {
      if (!refusal.test((error as { code?: string }).code ?? '')) throw error
      if (!unreadable.has(fact)) onWarning(`the server does not tell ${untold[fact]}`)
      unreadable.add(fact)
      return undefined
    }
  }

  return async (ask) => {
    const state = await ask<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"').catch(
      (error) => {
        if ((error as { code?: string }).code !== '42501') throw error
        const remedy = 'As a superuser run: GRANT EXECUTE ON FUNCTION pg_is_in_recovery() TO USER.'
        throw Object.assign(error as Error, { remedy })
      },
    )
    if (state?.isStandby) throw new StoreUnavailableError('it is a standby, which accepts no writes')
    const system = await read(ask, 'system')
    const timeline = Number((await read(ask, 'timeline')) ?? 0)
    // No await from here on: of connections that open concurrently, each is compared with the previous one.
    if (system !== undefined && seen.system !== undefined && system !== seen.system) {
      throw new StoreUnavailableError(
        'it is another database than before; restart the service if it is meant',
      )
    }
    if (timeline > 0 && timeline < seen.timeline) {
      throw new StoreUnavailableError(
        system !== undefined
          ? 'its server was replaced by one that was promoted'
          : 'it is older than the server before, or another database; restart the service if it is meant',
      )
    }
    const isNewer = seen.timeline > 0 && timeline > seen.timeline
    seen.system ??= system
    seen.timeline = Math.max(seen.timeline, timeline)
    return isNewer
  }
}
