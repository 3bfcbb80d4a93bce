import { setTimeout as wait } from 'node:timers/promises'
import { coalesce } from '../../store/coalesce.js'
import type { ProductionStore } from '../../store/production-store.js'
import { StoreUnavailableError } from '../../store/store.js'

/** The difference of clocks, in milliseconds, beyond which times of nodes are not comparable. */
export const maxClockSkewMs = 60_000

/** The reasons why the service may not be ready. */
export const unreadyReasons = ['draining', 'database'] as const
export type Unready = (typeof unreadyReasons)[number]

export type SelfCheck = ReturnType<typeof startSelfCheck>

export type SelfCheckOptions = {
  store: Pick<ProductionStore, 'probe' | 'databaseTime' | 'auditAfter'>
  /** Writes a line of the log at each change. */
  log(level: 'info' | 'warn', fields: object, message: string): void
  /** The interval of the checks, in milliseconds. Every twelfth check looks for backups. */
  everyMs?: number
  /** The time limit of the test write, in milliseconds. */
  timeoutMs?: number
  /** How long a result is reused, in milliseconds, so that frequent requests cause no more writes. */
  reuseMs?: number
}

/** Checks the service, at once and at intervals. */
export function startSelfCheck(options: SelfCheckOptions) {
  const { store, everyMs = 5_000, timeoutMs = 1_000, reuseMs = 1_000 } = options
  let isStopped = false
  let isDraining = false
  /** Why the database cannot be used, if it cannot: the message without numbers, which may change each time. */
  let reason: string | undefined
  let reusedUntil = Number.NEGATIVE_INFINITY
  let skew = Number.NaN
  let lastBackup: string | undefined
  let lookedAt: string | undefined

  const log: SelfCheckOptions['log'] = (...line) => {
    if (!isStopped) options.log(...line)
  }

  const settle = (error?: unknown) => {
    const before = reason
    reason = error === undefined ? undefined : String(error).replace(/\d+/g, '')
    if (error !== undefined && reason !== before)
      log('warn', { err: error }, 'not ready: requests that need the database fail')
    if (error === undefined && before !== undefined) log('info', {}, 'ready: the database can be used')
    reusedUntil = performance.now() + reuseMs
  }
  const probe = coalesce(() => store.probe().then(() => settle(), settle))
  /** The known reasons why the service is not ready. */
  const unready = (): Unready[] =>
    unreadyReasons.filter((each) => (each === 'draining' ? isDraining : reason !== undefined))
  /** Why the service is not ready, if it is not, determined within a second. */
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

  /** Without a backup, the first check reads the audit log from its beginning. */
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
    // An unreadable database is reported as not ready.
    checkClock().catch(() => {})
    if (count % 12 === 0) findBackup().catch(() => {})
    count += 1
  }
  check()
  const timer = setInterval(check, everyMs).unref()

  return {
    readiness,
    unready,
    /** Makes the service unready: its database is lost. */
    lose(fault: Error): void {
      settle(fault)
      reusedUntil = Number.POSITIVE_INFINITY
    },
    /** Makes the service unready. */
    drain(): void {
      isDraining = true
      log('info', {}, 'not ready: the service stops')
    },
    /** How far this machine's clock is ahead of the database's, in milliseconds; NaN until it is known. */
    clockSkewMs: () => skew,
    /** The age of the last completed backup, in milliseconds; Infinity without one. */
    backupAgeMs: () => (lastBackup ? Date.now() - Date.parse(lastBackup) : Number.POSITIVE_INFINITY),
    /** Ends the checks. Running ones report nothing. */
    stop(): void {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/**
 * Measures how far this machine's clock is ahead of the database's, in milliseconds; 0 if the query itself explains the
 * difference.
 */
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
