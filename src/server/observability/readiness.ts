/** Why the service should get no requests for now. */
export type Unready = 'draining' | 'database'

export type Readiness = {
  /** Whether requests should come; undefined is yes. Answers in bounded time. */
  check(): Promise<Unready | undefined>
  /** From now on the answer is no. */
  drain(): void
}

export type ReadinessOptions = {
  /** Tries whether a write would be kept; fails where it would not. */
  probe(): Promise<void>
  /** Told when the database gets out of reach, with the reason, and when it is back. */
  onChange(fault: unknown): void
  /** How long a probe may take, and for how long its result counts; in milliseconds. */
  patienceMs?: number
  keptMs?: number
}

/** Readiness, by a probe that is run at most once at a time: whoever asks often costs no more writes. */
export function createReadiness({
  probe,
  onChange,
  patienceMs = 1_000,
  keptMs = 1_000,
}: ReadinessOptions): Readiness {
  let isDraining = false
  let isFaulty = false
  let probing: Promise<void> | undefined
  let keptUntil = Number.NEGATIVE_INFINITY

  const found = (fault: unknown, isFault: boolean) => {
    if (isFault !== isFaulty) onChange(isFault ? fault : undefined)
    isFaulty = isFault
    keptUntil = performance.now() + keptMs
  }

  const probeOnce = (): Promise<void> => {
    probing ??= probe()
      .then(
        () => found(undefined, false),
        (error) => found(error, true),
      )
      .finally(() => {
        probing = undefined
      })
    return probing
  }

  /** Settles with the probe, or when patience is at its end: then the database counts as out of reach. */
  const probeWithPatience = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        found(new Error(`The database did not take a write within ${patienceMs} ms`), true)
        resolve()
      }, patienceMs)
      void probeOnce().then(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  return {
    async check() {
      if (!isDraining && performance.now() >= keptUntil) await probeWithPatience()
      if (isDraining) return 'draining'
      return isFaulty ? 'database' : undefined
    },
    drain() {
      isDraining = true
    },
  }
}
