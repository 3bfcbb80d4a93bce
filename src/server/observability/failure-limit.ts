import { addressAllowances } from '../../node-server/address-allowance.js'

/** Failures that were not recorded one by one. */
export type CountedFailures = {
  failures: number
  /** The address of the client, or its network; left out for the clients beyond a number of them. */
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
 * a time that begins with the first failure. The others are counted for each client, so that nobody hides behind others.
 * @param maxCounted how many clients have a count of their own
 * @param onCounted called at the end of the time for each client whose failures were not recorded
 */
export function createFailureLimit({
  maxPerClient = 10,
  max = 30,
  maxCounted = 200,
  ms = 60_000,
  onCounted,
}: {
  maxPerClient?: number
  max?: number
  maxCounted?: number
  ms?: number
  onCounted(counted: CountedFailures): void
}): FailureLimit {
  /** How many failures of each client were recorded: no more clients than failures. */
  const recorded = new Map<string, number>()
  let counted = new Map<string | undefined, CountedFailures>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  const count = (address: string) => {
    // An IPv6 client with a /48 has no more counts than one with a /64.
    const widest = addressAllowances(address, 1).at(-1)?.group
    const group = counted.has(widest) || counted.size < maxCounted ? widest : undefined
    const { failures = 0, source = address } = counted.get(group) ?? {}
    const isNamed = group !== undefined && { source: source === address ? address : group }
    counted.set(group, { failures: failures + 1, ...isNamed })
  }
  const end = () => {
    clearTimeout(timer)
    timer = undefined
    const ended = counted
    counted = new Map()
    recorded.clear()
    total = 0
    for (const each of ended.values()) onCounted(each)
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
      count(address)
      return false
    },
    end,
  }
}
