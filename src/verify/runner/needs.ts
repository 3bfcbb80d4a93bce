import type { Case, CaseRequest, Persona } from '../cases/case.js'
import type { Target } from './target.js'

/** The requests of a case, except those that depend on earlier responses. */
export const requestsOf = ({ steps }: Case): CaseRequest[] =>
  steps
    .flatMap((entry) => ('concurrent' in entry ? entry.concurrent : [entry]))
    .flatMap(({ request }) => (typeof request === 'function' ? [] : [request]))

/** Whether a case sends only GET and HEAD. */
export const isReadOnly = ({ steps }: Case): boolean =>
  steps.every(
    (entry) =>
      !('concurrent' in entry) &&
      typeof entry.request === 'object' &&
      /^(GET|HEAD)$/.test(entry.request.method),
  )

/** Whether a case checks the interface itself, and not a decision where the interface is silent. */
export const isFromInterface = ({ requirement }: Pick<Case, 'requirement'>): boolean =>
  /^\d/.test(requirement)

/** Why a target cannot run a case at all, for a reader; undefined where it can. */
export function unsupportedReason(
  testCase: Case,
  { raw, ownsOrigin }: Pick<Target, 'raw' | 'ownsOrigin'>,
): string | undefined {
  const requests = requestsOf(testCase)
  if (!raw && requests.some((request) => request.raw)) return 'a fetch client cannot send this request'
  if (!ownsOrigin && requests.some(({ outside }) => outside))
    return 'paths outside of the service are not its own here'
  return undefined
}

/** The personas whose sessions a case needs. */
export function personasOf(testCase: Case): Set<Persona> {
  const needed = new Set<Persona>()
  for (const { as, cookies, path } of requestsOf(testCase)) {
    if (as) needed.add(as)
    if (path.includes('{own}')) needed.add('acme-owner')
    if (path.includes('{foreign}')) needed.add('globex-owner')
    cookies?.((persona) => {
      needed.add(persona)
      return 'session=x'
    })
  }
  return needed
}
