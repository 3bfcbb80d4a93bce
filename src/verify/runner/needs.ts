import type { Case, Persona, Request } from '../cases/case.js'
import type { Target } from './target.js'

/** The requests of a case, as far as they are known before it is played. */
export const requestsOf = ({ steps }: Case): Request[] =>
  steps
    .flatMap((entry) => ('concurrent' in entry ? entry.concurrent : [entry]))
    .flatMap(({ request }) => (typeof request === 'function' ? [] : [request]))

/** Whether a case sends nothing but GET and HEAD. */
export const isReadOnly = (one: Case): boolean =>
  one.steps.every(
    (entry) =>
      !('concurrent' in entry) &&
      typeof entry.request === 'object' &&
      /^(GET|HEAD)$/.test(entry.request.method),
  )

/** Whether a case proves what the interface itself says, and not what was decided where it is silent. */
export const isOfInterface = ({ requirement }: Case): boolean => /^\d/.test(requirement)

/** Why a target cannot play a case at all, for a reader; undefined where it can. */
export function whyNotSent(
  one: Case,
  { raw, ownsOrigin }: Pick<Target, 'raw' | 'ownsOrigin'>,
): string | undefined {
  const asks = requestsOf(one)
  if (!raw && asks.some((request) => request.raw)) return 'a fetch client cannot send this request'
  if (!ownsOrigin && asks.some(({ outside }) => outside)) {
    return 'what lies outside of the service belongs to others here'
  }
  return undefined
}

/** The personas that a case needs a session of. */
export function personasOf(one: Case): Set<Persona> {
  const needed = new Set<Persona>()
  for (const { as, cookies, path } of requestsOf(one)) {
    if (as) needed.add(as)
    if (path.includes('{mine}')) needed.add('acme-owner')
    if (path.includes('{foreign}')) needed.add('globex-owner')
    cookies?.((persona) => {
      needed.add(persona)
      return 'session=x'
    })
  }
  return needed
}
