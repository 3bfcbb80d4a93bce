import { coalesce } from '../../store/coalesce.js'

/** Why the service should get no requests for now. */
export const unreadyReasons = ['draining', 'database'] as const
export type Unready = (typeof unreadyReasons)[number]

export type Readiness = {
  /** Whether the service should get requests; undefined means yes. Resolves within the time-out. */
  check(): Promise<Unready | undefined>
  /** Everything that stands against requests, as far as it is known now. */
  reasons(): Unready[]
  /** From now on the service is not ready. */
  drain(): void
}

export type ReadinessOptions = {
  /** Tries whether a write would succeed; rejects if not. */
  probe(): Promise<void>
  /** Called when a reason begins to count, with the error of the database; and when it can be written again, without. */
  onChange(reason: Unready, error?: unknown): void
  /** How long a probe may take, in milliseconds. */
  timeoutMs?: number
  /** For how long the result of a probe is reused, in milliseconds. */
  reuseMs?: number
}

/** Readiness by a probe. One probe runs at a time, so that frequent checks cost no more writes. */
export function createReadiness({
  probe,
  onChange,
  timeoutMs = 1_000,
  reuseMs = 1_000,
}: ReadinessOptions): Readiness {
  let isDraining = false
  let isFailing = false
  let reusedUntil = Number.NEGATIVE_INFINITY

  const settle = (hasFailed: boolean, error?: unknown) => {
    if (hasFailed !== isFailing) onChange('database', error)
    isFailing = hasFailed
    reusedUntil = performance.now() + reuseMs
  }
  const runProbe = coalesce(() =>
    probe().then(
      () => settle(false),
      (error) => settle(true, error),
    ),
  )

  /** Resolves with the probe, or after the time-out: the database then counts as unavailable. */
  const probeInTime = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        settle(true, new Error(`The database did not accept a write within ${timeoutMs} ms`))
        resolve()
      }, timeoutMs)
      void runProbe().then(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  const reasons = (): Unready[] => [
    ...(isDraining ? (['draining'] as const) : []),
    ...(isFailing ? (['database'] as const) : []),
  ]

  return {
    reasons,
    async check() {
      if (!isDraining && performance.now() >= reusedUntil) await probeInTime()
      return reasons()[0]
    },
    drain() {
      isDraining = true
      onChange('draining')
    },
  }
}
