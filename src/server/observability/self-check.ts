import type { ProductionStore } from '../../store/production-store.js'
import { createReadiness, type Readiness } from './readiness.js'

/** From this difference on, in milliseconds, a clock is wrong: times that nodes write are not comparable then. */
export const maxClockSkewMs = 60_000

/** What a service finds out about itself, now and every few seconds, without being asked. */
export type SelfCheck = {
  readiness: Readiness
  /** How far the clock of this machine is ahead of the database's, in milliseconds; NaN while that is not known. */
  clockSkewMs(): number
  /** How long ago the last backup was completed, in milliseconds: each was checked. Infinity if there is none. */
  backupAgeMs(): number
  /** Ends the checks. Those that are running report nothing any more. */
  stop(): void
}

export type SelfCheckOptions = {
  store: Pick<ProductionStore, 'probe' | 'databaseTime' | 'auditAfter'>
  /** Writes a line of the log, at each change. */
  log(level: 'info' | 'warn', fields: object, message: string): void
  /** How often it checks, in milliseconds. It looks for backups at every twelfth time. */
  everyMs?: number
}

export function startSelfCheck({ store, log, everyMs = 5_000 }: SelfCheckOptions): SelfCheck {
  let isStopped = false
  let skew = Number.NaN
  let lastBackup: string | undefined
  let lookedAt: string | undefined

  const readiness = createReadiness({
    probe: store.probe,
    onChange(reason, error) {
      if (isStopped) return
      if (reason === 'draining') log('info', {}, 'not ready: the service stops')
      else if (error) log('warn', { err: error }, 'not ready: the database cannot be written')
      else log('info', {}, 'ready: the database can be written')
    },
  })

  const checkClock = async () => {
    const wasWrong = Math.abs(skew) > maxClockSkewMs
    skew = await clockSkewMs(store)
    const isWrong = Math.abs(skew) > maxClockSkewMs
    if (isStopped || isWrong === wasWrong) return
    const clockSkewSeconds = Math.round(skew / 1000)
    if (isWrong) log('warn', { clockSkewSeconds }, 'the clock differs from that of the database')
    else log('info', { clockSkewSeconds }, 'the clock agrees with that of the database')
  }

  /** Only the first time reads the audit log from its beginning, where there is no backup. */
  const findBackup = async () => {
    const now = new Date().toISOString()
    const filter = { action: 'database.backup', outcome: 'success', since: lookedAt } as const
    const [entry] = await store.auditAfter(undefined, 1, filter)
    lastBackup = entry?.at ?? lastBackup
    lookedAt = now
  }

  let count = 0
  const check = () => {
    void readiness.check()
    // A database that cannot be read is reported as not ready.
    checkClock().catch(() => {})
    if (count % 12 === 0) findBackup().catch(() => {})
    count += 1
  }
  check()
  const timer = setInterval(check, everyMs).unref()

  return {
    readiness,
    clockSkewMs: () => skew,
    backupAgeMs: () => (lastBackup ? Date.now() - Date.parse(lastBackup) : Number.POSITIVE_INFINITY),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** How far the clock of this machine is ahead of the database's, in milliseconds; 0 if only the query takes time. */
export async function clockSkewMs(store: Pick<ProductionStore, 'databaseTime'>): Promise<number> {
  const before = Date.now()
  const there = (await store.databaseTime()).getTime()
  const after = Date.now()
  if (there < before) return before - there
  return there > after ? after - there : 0
}
