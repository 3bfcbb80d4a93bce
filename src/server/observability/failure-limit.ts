import { addressAllowances } from '../../node-server/address-allowance.js'

/** Failures that were not recorded one by one. */
export type CountedFailures = {
  failures: number
  /** The address of the client, if it was one. */
  source?: string
}

export type FailureLimit = {
  /** Whether a failure of a client is recorded. If not, it is counted. */
  isRecorded(address: string): boolean
  /** Ends the time that is running: what was counted is told now. */
  end(): void
}

/**
 * Limits how many failures are recorded, so that nobody fills a disk with them: those of a client, and those of all, within
 * a time that begins with the first failure.
 * @param onCounted called at the end of the time, if failures were not recorded
 */
export function createFailureLimit({
  maxPerClient = 10,
  max = 30,
  ms = 60_000,
  onCounted,
}: {
  maxPerClient?: number
  max?: number
  ms?: number
  onCounted(counted: CountedFailures): void
}): FailureLimit {
  /** How many failures of each client were recorded: no more clients than failures. */
  const recorded = new Map<string, number>()
  let total = 0
  let counted = 0
  let sources = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const end = () => {
    clearTimeout(timer)
    timer = undefined
    const [source] = sources
    const ended = { failures: counted, ...(sources.size === 1 && { source }) }
    recorded.clear()
    sources = new Set()
    total = 0
    counted = 0
    if (ended.failures > 0) onCounted(ended)
  }
  return {
    isRecorded(address) {
      timer ??= setTimeout(end, ms).unref()
      // An IPv6 client has a /64.
      const client = addressAllowances(address, 1)[0]?.group ?? ''
      const ofClient = recorded.get(client) ?? 0
      if (total < max && ofClient < maxPerClient) {
        total += 1
        recorded.set(client, ofClient + 1)
        return true
      }
      counted += 1
      if (sources.size < 2) sources.add(address)
      return false
    },
    end,
  }
}
