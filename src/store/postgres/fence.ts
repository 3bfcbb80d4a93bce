import { StoreUnavailableError } from '../store.js'

/** What tells a server from the one before it. Managed servers refuse some of it. */
const facts = {
  /** What was initialized once, and is the same on its standbys. */
  system: 'SELECT system_identifier::text AS value FROM pg_control_system()',
  /** A promoted server has a higher one than the primary before it; it has no checkpoint on it at first. */
  timeline: `SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS value`,
}
type Fact = keyof typeof facts

/** What cannot be told without a fact. */
const untold: Record<Fact, string> = {
  system: 'whether it is another database than before (pg_control_system)',
  timeline: 'whether it was replaced by a promoted server (pg_current_wal_lsn)',
}

/** What a server answers that does not tell a fact: not allowed, not there, not supported, not in its state. */
const refusal = /^(42501|42883|42P01|0A000|55000)$/

/** Runs a query of one row. */
type Ask = <Row extends object>(sql: string) => Promise<Row | undefined>

/**
 * Makes a function that looks where a new connection leads. A server in recovery is refused, and one that is older than the
 * server before, or another one: it lacks what was acknowledged.
 * @param onWarning called once for what a server does not tell
 * @returns a function that resolves with whether the server is newer than the one before, as after a failover
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
    const state = await ask<{ isStandby: boolean }>('SELECT pg_is_in_recovery() AS "isStandby"')
    if (state?.isStandby) throw new StoreUnavailableError('it is a standby, which accepts no writes')
    const system = await read(ask, 'system')
    const timeline = Number((await read(ask, 'timeline')) ?? 0)
    // From here on nothing waits: of connections that are opened at once each is compared with the one before.
    if (system !== undefined && seen.system !== undefined && system !== seen.system) {
      throw new StoreUnavailableError(
        'it is another database than before; restart the service if it is meant',
      )
    }
    if (timeline > 0 && timeline < seen.timeline) {
      throw new StoreUnavailableError('its server was replaced by one that was promoted')
    }
    const isNewer = seen.timeline > 0 && timeline > seen.timeline
    seen.system ??= system
    seen.timeline = Math.max(seen.timeline, timeline)
    return isNewer
  }
}
