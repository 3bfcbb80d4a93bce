import { noticeAbort } from './notice-abort.js'
import { createRequestFollower, type FollowedRequest } from './request-follower.js'
import type { SentRequest } from './sent-request.js'

export type PageRequests = {
  /** Returns undefined for a request that this page's worker does not intercept. */
  follow(given: {
    request: Request
    requestId: string
  }): (FollowedRequest & Pick<SentRequest, 'noticeAbort'>) | undefined
  /** Called with each `response:mocked` of MSW. */
  taken(requestId: string): void
}

const noRequests: PageRequests = { follow: () => undefined, taken() {} }

/**
 * Follows the requests of this page that a service worker intercepts. The browser reports the end of each as a resource timing,
 * with the status 0 for an aborted one. Browsers without that status report no aborts, and every response counts as taken.
 */
export function followPage(): PageRequests {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('resource')) return noRequests
  const follower = createRequestFollower()
  const report = (entries: PerformanceEntryList) => {
    for (const { name, responseStatus, initiatorType, startTime } of entries as PerformanceResourceTiming[]) {
      if (/^(fetch|xmlhttprequest)$/.test(initiatorType) && responseStatus !== undefined)
        follower.ended(name, responseStatus, startTime)
    }
  }
  const observer = new PerformanceObserver((list) => report(list.getEntries()))
  observer.observe({ type: 'resource' })
  return {
    follow({ request, requestId }) {
      if (!globalThis.navigator?.serviceWorker?.controller) return undefined
      report(observer.takeRecords())
      const { isSuspect, ...followed } = follower.begin(request.url, requestId)
      return { ...followed, noticeAbort: async () => isSuspect && noticeAbort(followed.signal) }
    },
    taken(requestId) {
      report(observer.takeRecords())
      follower.taken(requestId)
    },
  }
}
