import { addressAllowances } from '../../http/address-allowance.js'

/** Failures that were not recorded one by one. */
export type CountedFailures = {
  failures: number
  /** The address of the client, or its IPv6 network; left out for the clients beyond a number of them. */
  source?: string
}

const minute = 60_000
/** How many failures of a client are recorded in a minute. */
const maxRecorded = 3
/** How many clients are recorded in a minute; the others are counted together. */
const maxClients = 100

/**
 * Limits how many failures are recorded, so that nobody fills a disk with them, within a minute that begins with the first
 * failure. The others are counted for each client, so that nobody hides behind others. An IPv6 client is its /48.
 * @param onCounted called at the end of the minute for each client whose failures were not all recorded
 */
export function createFailureLimit(onCounted: (counted: CountedFailures) => void) {
  const clients = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  /** Ends the time that is running: what was counted is told now. */
  const end = (): void => {
    clearTimeout(timer)
    timer = undefined
    const ended = [...clients]
    clients.clear()
    for (const [source, count] of ended) {
      if (source === '') onCounted({ failures: count })
      else if (count > maxRecorded) onCounted({ failures: count - maxRecorded, source })
    }
  }
  return {
    /** Whether a failure of a client is recorded. If not, it is counted. */
    isRecorded(address: string): boolean {
      timer ??= setTimeout(end, minute).unref()
      const network = addressAllowances(address, 1).at(-1)?.group ?? ''
      const client = clients.has(network) || clients.size < maxClients ? network : ''
      const count = (clients.get(client) ?? 0) + 1
      clients.set(client, count)
      return client !== '' && count <= maxRecorded
    },
    end,
  }
}
