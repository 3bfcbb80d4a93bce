import { isCommonAssetRequest } from 'msw'
import { graphqlPlace } from './graphql-name.js'
import { matchesPath } from './match-path.js'
import type { MockParts } from './mock-parts.js'
import type { SentRequest } from './sent-request.js'
import { exactTarget, placeOfRequest, splitTarget, type Target, type TargetName } from './target-name.js'

/** The targets of requests that no handler answers. */
export type UnhandledTargets = ReturnType<typeof createUnhandledTargets>

export function createUnhandledTargets({ scenarios, targets, origins }: MockParts) {
  /** The targets of a request that have a forced outcome, most specific first: exact path, path with `:id`, pattern. */
  const forcedOn = async (sent: SentRequest): Promise<Target[]> => {
    const forced = scenarios.forced()
    if (forced.length === 0) return []
    const { method, url } = sent
    const matching = forced.filter((target) => {
      const made = splitTarget(target)
      if (!made.path || targets.find(target)?.kind === 'handler') return false
      return (made.method === 'ALL' || made.method === method) && matchesPath(url, made.path, origins[0])
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
    /** The target of a request: with a forced outcome, else by its path or its GraphQL. */
    placeOf: async (sent: SentRequest): Promise<Target> =>
      (await forcedOn(sent))[0] ?? (await graphqlPlace(sent)) ?? placeOfRequest(sent, origins),
  }
}

/** Whether a request is a call, not the load of a page or of a part of it. */
export function isCall({ url, headers }: SentRequest): boolean {
  const { protocol, pathname } = new URL(url)
  return (
    // data: and blob: have content in their address.
    protocol.startsWith('http') &&
    !isCommonAssetRequest(new Request(url)) &&
    !/^\/(@|__dev\/|favicon\.ico$)/.test(pathname) &&
    !headers.accept?.includes('text/html') &&
    (headers['sec-fetch-dest'] ?? 'empty') === 'empty'
  )
}
