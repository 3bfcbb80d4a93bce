import type { CaseRequest } from '../cases/case.js'
import { callerNames } from '../cases/test-data.js'

/** A request in a report, with the caller's name as in `--cookie`: `GET /v1/projects as owner`. */
export const describeRequest = ({ method, path, as }: CaseRequest): string =>
  `${method} ${path.slice(0, 80)}${as ? ` as ${callerNames[as]}` : ''}`
