import { isCommonAssetRequest, matchRequestUrl } from 'msw'
import { graphqlPlace } from './graphql-name.js'
import type { MockParts } from './mock-parts.js'
import type { SentRequest } from './sent-request.js'
import {
  exactTarget,
  patternOf,
  placeOfRequest,
  splitTarget,
  type TargetName,
  type TargetPlace,
} from './target-name.js'

/** The targets of requests that no handler answers. */
export type Unanswered = ReturnType<typeof createUnanswered>

export function createUnanswered({ scenarios, targets, origins }: MockParts) {
  /** The targets of a request that something is forced on: its very path, the one with `:id`, then patterns. */
  const forcedOn = async (sent: SentRequest): Promise<TargetPlace[]> => {
    const forced = scenarios.forced()
    if (forced.length === 0) return []
    const { method, url } = sent
    const matching = forced.filter((target) => {
      const made = splitTarget(target)
      if (!made.path || targets.find(target)?.kind === 'handler') return false
      return (made.method === 'ALL' || made.method === method) && isMatch(url, made.path, origins[0])
    })
    const graphql = forced.some((target) => /^[a-z]+ /.test(target)) ? await graphqlPlace(sent) : undefined
    const named: TargetName[] = [
      ...(graphql ? [graphql.target] : []),
      exactTarget(sent, origins),
      placeOfRequest(sent, origins).target,
    ]
    return [...new Set([...named.filter(scenarios.isForced), ...matching])].map(splitTarget)
  }

  return {
    forcedOn,
    /** The target of a request: one that something is forced on, or the one that its path or its GraphQL names. */
    placeOf: async (sent: SentRequest): Promise<TargetPlace> =>
      (await forcedOn(sent))[0] ?? (await graphqlPlace(sent)) ?? placeOfRequest(sent, origins),
  }
}

/** Whether a URL matches the path of a target, and can be decoded. */
function isMatch(url: string, path: string, home: string | undefined): boolean {
  try {
    return matchRequestUrl(new URL(url), patternOf(path), home).matches
  } catch {
    return false
  }
}

/** Whether a request is one of a program, not of a page that loads itself. */
export function isCall({ url, headers }: SentRequest): boolean {
  const { protocol, pathname } = new URL(url)
  return (
    // Not data: or blob:, whose address may be the content.
    protocol.startsWith('http') &&
    !isCommonAssetRequest(new Request(url)) &&
    !/^\/(@|__dev\/|favicon\.ico$)/.test(pathname) &&
    !headers.accept?.includes('text/html') &&
    (headers['sec-fetch-dest'] ?? 'empty') === 'empty'
  )
}
