import type { Case, CaseRequest, Persona, Step } from '../cases/case.js'
import { callersIn } from './placeholders.js'
import type { Target } from './target.js'

/** The requests of a case, except those that depend on earlier responses. */
export const requestsOf = (testCase: Case): CaseRequest[] =>
  stepsOf(testCase).flatMap(({ request }) => (typeof request === 'function' ? [] : [request]))

const stepsOf = ({ steps }: Case): Step[] =>
  steps.flatMap((entry) => ('concurrent' in entry ? entry.concurrent : [entry]))

const isRead = ({ request }: Step) => typeof request === 'object' && /^(GET|HEAD)$/.test(request.method)

/** Whether a case sends only GET and HEAD. */
export const isReadOnly = (testCase: Case): boolean => stepsOf(testCase).every(isRead)

/** Whether a case leaves all projects as they are, if the service has no fault: it can run beside others. */
export const changesNothing = (testCase: Case): boolean =>
  stepsOf(testCase).every((step) => isRead(step) || isRefused(step) || isElsewhere(step))

const isRefused = ({ expect }: Step) =>
  typeof expect === 'object' && [expect.status ?? 0].flat().every((status) => status >= 400)

const isElsewhere = ({ request }: Step) =>
  typeof request === 'object' && !request.path.startsWith('/v1/projects')

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
  for (const { as, cookies, path, headers = {} } of requestsOf(testCase)) {
    if (as) needed.add(as)
    for (const text of [path, ...Object.values(headers)]) for (const of of callersIn(text)) needed.add(of)
    cookies?.((persona) => {
      needed.add(persona)
      return 'session=x'
    })
  }
  return needed
}
