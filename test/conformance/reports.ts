import type { Report } from '../../src/conformance/runner/verify-service.js'

/** The options of a run that only reads. */
export const options = { cookies: new Map(), write: false, interfaceOnly: false }

/** The results with an outcome. */
export const of = ({ results }: Report, outcome: string) =>
  results.filter((result) => result.outcome === outcome)
export const failures = (report: Report) =>
  of(report, 'failed').map(({ title, failures }) => ({ title, failures }))
/** The failures of the case with a title. */
export const failedOnce = (report: Report, title: string) =>
  of(report, 'failed').find((result) => result.title === title)?.failures
