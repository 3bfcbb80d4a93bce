/** A request that a browser sends, from its arrival at the mock to its end in the browser. */
export type FollowedRequest = {
  /** Aborts when the browser gives up. */
  signal: AbortSignal
  /**
   * Called with the status of the answer: 0 for a broken connection, `elsewhere` for a request that is left to others.
   * @param settle called when the browser has taken or dropped the answer
   */
  answered(status: Status, settle?: (isTaken: boolean) => void): void
}

type Status = number | 'elsewhere'

/** A followed request whose end in the browser is known by itself. */
export type Following = FollowedRequest & {
  readonly status: Status | undefined
  /** Called when the browser has the response. */
  taken(): void
  /** Called when the request has ended without a response, or was aborted. */
  failed(): void
}

/** Follows one request. */
export function followRequest(): Following {
  const controller = new AbortController()
  let known: Status | undefined
  let settled: ((isTaken: boolean) => void) | undefined
  return {
    signal: controller.signal,
    get status() {
      return known
    },
    answered(status, settle) {
      known = status
      settled = settle
      if (controller.signal.aborted) settle?.(false)
    },
    taken: () => settled?.(true),
    failed() {
      if (known === undefined) controller.abort()
      // A broken connection was the answer.
      else if (known !== 0) settled?.(false)
    },
  }
}

type Open = {
  id?: string
  request: Following
  /** When it arrived, by `performance.now()`. */
  arrivedAt: number
  /** An abort came before it. It may be of this request, or of one that the browser has not sent. */
  isSuspect: boolean
}

/** The most requests of a URL whose ends are awaited. Those of other documents never end here. */
const maxOpen = 50

/** An abort that comes before its request is for one that arrives within this time, in milliseconds. */
const maxLeadMs = 5_000

/**
 * Finds out which requests of a page were aborted. A service worker gets an aborted request as any other one, so the ends that
 * the page reports are matched with the requests: by URL, by the status, and in their order.
 */
export function createRequestFollower() {
  const open = new Map<string, Open[]>()
  const aborts = new Map<string, number[]>()

  const take = (url: string, wanted: (request: Open) => boolean): Open | undefined => {
    const all = open.get(url) ?? []
    const found = all.find(wanted)
    if (found) all.splice(all.indexOf(found), 1)
    if (all.length === 0) open.delete(url)
    return found
  }
  const takeAbort = (url: string): boolean => {
    const all = aborts.get(url) ?? []
    aborts.delete(url)
    const recent = all.filter((time) => performance.now() - time < maxLeadMs)
    const isFound = recent.shift() !== undefined
    if (recent.length > 0) aborts.set(url, recent)
    return isFound
  }

  return {
    /**
     * Called when a request arrives at the mock. An abort that came before it is taken for its own when another request arrives.
     * @param id its id for `taken`
     */
    begin(address: string, id?: string): FollowedRequest & { isSuspect: boolean } {
      const url = withoutFragment(address)
      take(url, ({ isSuspect }) => isSuspect)?.request.failed()
      const begun = { id, request: followRequest(), arrivedAt: performance.now(), isSuspect: takeAbort(url) }
      const all = open.get(url) ?? []
      all.push(begun)
      if (all.length > maxOpen) all.shift()
      open.set(url, all)
      const { signal, answered } = begun.request
      return { signal, answered, isSuspect: begun.isSuspect }
    },
    /** Called when the browser has the response to a request, whose body may still be read or dropped. */
    taken(id: string): void {
      for (const all of open.values()) {
        const found = all.find((each) => each.id === id)
        if (found) found.isSuspect = false
        found?.request.taken()
      }
    },
    /**
     * Called when a request has ended in the browser.
     * @param status 0 for an aborted one, and for one without a response
     * @param startedAt when the page sent it, by `performance.now()`: it has not arrived before
     */
    ended(address: string, status: number, startedAt = 0): void {
      const url = withoutFragment(address)
      if (status > 0) {
        const taken = take(url, ({ request }) => request.status === status)
        if (taken) taken.request.taken()
        else take(url, ({ request }) => request.status === 'elsewhere')
        return
      }
      const mayBe = ({ arrivedAt }: Open) => arrivedAt >= startedAt
      const found = take(url, (each) => mayBe(each) && each.request.status === undefined) ?? take(url, mayBe)
      if (found) found.request.failed()
      else aborts.set(url, [...(aborts.get(url) ?? []), performance.now()])
    },
  }
}

export type RequestFollower = ReturnType<typeof createRequestFollower>

const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')
