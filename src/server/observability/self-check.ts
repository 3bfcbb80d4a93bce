import { setTimeout as wait } from 'node:timers/promises'
import { coalesce } from '../../store/coalesce.js'
import type { ProductionStore } from '../../store/production-store.js'
import { StoreUnavailableError } from '../../store/store.js'

/** From this difference on, in milliseconds, a clock is wrong: times that nodes write are not comparable then. */
export const maxClockSkewMs = 60_000

/** Why the service should get no requests for now. */
export const unreadyReasons = ['draining', 'database'] as const
export type Unready = (typeof unreadyReasons)[number]

export type SelfCheck = ReturnType<typeof startSelfCheck>

export type SelfCheckOptions = {
  store: Pick<ProductionStore, 'probe' | 'databaseTime' | 'auditAfter'>
  /** Writes a line of the log, at each change. */
  log(level: 'info' | 'warn', fields: object, message: string): void
  /** How often it checks, in milliseconds. It looks for backups at every twelfth time. */
  everyMs?: number
  /** How long the database may take to accept a write, in milliseconds. */
  timeoutMs?: number
  /** For how long what it said is reused, in milliseconds, so that frequent questions cost no more writes. */
  reuseMs?: number
}

/** Finds out about the service, now and every few seconds, without being asked. */
export function startSelfCheck(options: SelfCheckOptions) {
  const { store, everyMs = 5_000, timeoutMs = 1_000, reuseMs = 1_000 } = options
  let isStopped = false
  let isDraining = false
  let isFailing = false
  let reusedUntil = Number.NEGATIVE_INFINITY
  let skew = Number.NaN
  let lastBackup: string | undefined
  let lookedAt: string | undefined

  const log: SelfCheckOptions['log'] = (...line) => {
    if (!isStopped) options.log(...line)
  }

  const settle = (error?: unknown) => {
    const hasFailed = error !== undefined
    if (hasFailed && !isFailing) log('warn', { err: error }, 'not ready: the database cannot be written')
    if (!hasFailed && isFailing) log('info', {}, 'ready: the database can be written')
    isFailing = hasFailed
    reusedUntil = performance.now() + reuseMs
  }
  const probe = coalesce(() => store.probe().then(() => settle(), settle))
  /** Everything that stands against requests, as far as it is known now. */
  const unready = (): Unready[] =>
    unreadyReasons.filter((reason) => (reason === 'draining' ? isDraining : isFailing))
  /** Whether the service should get requests, as the database says within a second; undefined means yes. */
  const readiness = async (): Promise<Unready | undefined> => {
    if (!isDraining && performance.now() >= reusedUntil)
      await Promise.race([probe(), late(timeoutMs)]).catch(settle)
    return unready()[0]
  }

  const checkClock = async () => {
    const wasWrong = Math.abs(skew) > maxClockSkewMs
    skew = await clockSkewMs(store)
    const isWrong = Math.abs(skew) > maxClockSkewMs
    if (isWrong === wasWrong) return
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
    void readiness()
    // A database that cannot be read is reported as not ready.
    checkClock().catch(() => {})
    if (count % 12 === 0) findBackup().catch(() => {})
    count += 1
  }
  check()
  const timer = setInterval(check, everyMs).unref()

  return {
    readiness,
    unready,
    /** From now on the service is not ready, since its database is lost. */
    lose(fault: Error): void {
      settle(fault)
      reusedUntil = Number.POSITIVE_INFINITY
    },
    /** From now on the service is not ready. */
    drain(): void {
      isDraining = true
      log('info', {}, 'not ready: the service stops')
    },
    /** How far the clock of this machine is ahead of the database's, in milliseconds; NaN while that is not known. */
    clockSkewMs: () => skew,
    /** How long ago the last backup was completed, in milliseconds: each was checked. Infinity if there is none. */
    backupAgeMs: () => (lastBackup ? Date.now() - Date.parse(lastBackup) : Number.POSITIVE_INFINITY),
    /** Ends the checks. Those that are running report nothing any more. */
    stop(): void {
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

/** Rejects after a time, in milliseconds. */
async function late(ms: number): Promise<never> {
  await wait(ms, undefined, { ref: false })
  throw new StoreUnavailableError(`The database did not answer within ${ms} ms`)
}
