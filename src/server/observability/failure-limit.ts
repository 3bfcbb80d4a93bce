import { addressAllowances } from '../../node-server/address-allowance.js'

/** Failures that were not recorded one by one. */
export type CountedFailures = {
  failures: number
  /** The address of the client, or its IPv6 network; left out for the clients beyond a number of them. */
  source?: string
}

export type FailureLimit = {
  /** Whether a failure of a client is recorded. If not, it is counted. */
  isRecorded(address: string): boolean
  /** Ends the time that is running: what was counted is told now. */
  end(): void
}

const minute = 60_000
/** How many failures a minute are recorded: of a client, and of all. */
const maxPerClient = 10
const max = 30
/** How many clients have a count of their own. */
const maxClients = 200

/**
 * Limits how many failures are recorded, so that nobody fills a disk with them: those of a client, and those of all, within
 * a minute that begins with the first failure. The others are counted for each client, so that nobody hides behind others.
 * @param onCounted called at the end of the minute for each client whose failures were not recorded
 */
export function createFailureLimit(onCounted: (counted: CountedFailures) => void): FailureLimit {
  const clients = new Map<string, { recorded: number; failures: number }>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  const end = () => {
    clearTimeout(timer)
    timer = undefined
    const ended = [...clients]
    clients.clear()
    total = 0
    for (const [source, { failures }] of ended) {
      if (failures > 0) onCounted({ failures, ...(source !== '' && { source }) })
    }
  }
  return {
    isRecorded(address) {
      timer ??= setTimeout(end, minute).unref()
      // An IPv6 client with a /48 has no more counts than one with a /64.
      const network = addressAllowances(address, 1).at(-1)?.group ?? ''
      const group = clients.has(network) || clients.size < maxClients ? network : ''
      const client = clients.get(group) ?? { recorded: 0, failures: 0 }
      clients.set(group, client)
      if (total < max && client.recorded < maxPerClient) {
        total += 1
        client.recorded += 1
        return true
      }
      client.failures += 1
      return false
    },
    end,
  }
}
