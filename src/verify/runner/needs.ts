import type { Case, CaseRequest, Step } from '../cases/case.js'

/** The requests of a case, except those that depend on earlier responses. */
export const requestsOf = (testCase: Case): CaseRequest[] =>
  testCase.steps.flat().flatMap(({ request }) => (typeof request === 'function' ? [] : [request]))

export const isRead = ({ method }: CaseRequest): boolean => /^(GET|HEAD)$/.test(method)

const onlyReads = ({ request }: Step) => typeof request === 'object' && isRead(request)

/** Whether a case sends only GET and HEAD. */
export const isReadOnly = (testCase: Case): boolean => testCase.steps.flat().every(onlyReads)

/** Whether a case leaves all projects as they are, if the service has no fault: it can run beside others. */
export const changesNothing = (testCase: Case): boolean =>
  testCase.steps.flat().every((step) => onlyReads(step) || isRefused(step) || isElsewhere(step))

const isRefused = ({ expect }: Step) =>
  typeof expect === 'object' && [expect.status ?? 0].flat().every((status) => status >= 400)

const isElsewhere = ({ request }: Step) =>
  typeof request === 'object' && !request.path.startsWith('/v1/projects')

/** Whether a case checks the interface itself, and not a decision where the interface is silent. */
export const isFromInterface = ({ requirement }: Pick<Case, 'requirement'>): boolean =>
  /^\d/.test(requirement)
