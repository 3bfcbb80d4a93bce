import type { Case, CaseRequest, Step } from '../cases/case.js'

/** The requests of a case, except those that depend on earlier responses. */
export const requestsOf = ({ steps }: Case): Step[] =>
  steps.flat().flatMap((step) => (typeof step === 'function' ? [] : step))

export const isRead = ({ method }: CaseRequest): boolean => /^(GET|HEAD)$/.test(method)

/** Whether a case sends only GET and HEAD. */
export const isReadOnly = ({ steps }: Case): boolean =>
  steps.flat().every((step) => typeof step === 'object' && isRead(step))

/** Whether a case leaves all projects as they are, if the service has no fault: it can run beside others. */
export const changesNothing = ({ steps }: Case): boolean =>
  steps
    .flat()
    .every((step) => typeof step === 'object' && (isRead(step) || isRefused(step) || isElsewhere(step)))

const isRefused = ({ expect }: Step) =>
  typeof expect === 'object' && [expect.status ?? 0].flat().every((status) => status >= 400)

const isElsewhere = ({ path }: Step) => !path.startsWith('/v1/projects')

/** Whether a case checks the interface itself, and not a decision where the interface is silent. */
export const isFromInterface = ({ requirement }: Pick<Case, 'requirement'>): boolean =>
  /^\d/.test(requirement)
