import type { Case, CaseRequest } from '../cases/case.js'
import { cases } from '../cases/cases.js'
import { type Deployment, type DeploymentOptions, openDeployment } from './deployment.js'
import { MissingDataError } from './discover.js'
import { isFromInterface, isReadOnly, personasOf, unsupportedReason } from './needs.js'
import { runCase } from './run-case.js'

// The names of the properties below are those of the JSON report.

/** A request, e.g. `GET /v1/projects as acme-owner`, and the status of its response. */
export type Exchange = { asked: string; came: number }

/** The result of a case. */
export type Result = {
  /** The title of the case. */
  says: string
  /** The requirement: a section of the interface, or a decision where the interface is silent. */
  proves: string
  source: 'interface' | 'decision'
  outcome: 'kept' | 'violated' | 'skipped'
  exchanges: Exchange[]
  /** The violations, one sentence each. */
  faults: string[]
  /** Why the case was skipped. */
  reason?: string
  /** Duration in milliseconds. */
  ms: number
}

export type Report = { url: string; mode: Deployment['mode']; results: Result[] }

/**
 * Runs the cases against a deployment.
 * @param onResult called with each result as its case ends
 * @throws DeploymentError where the deployment cannot be reached or cannot be verified with these options
 */
export async function verify(
  options: DeploymentOptions,
  onResult: (result: Result) => void = () => {},
): Promise<Report> {
  const deployment = await openDeployment(options)
  const { mode } = deployment
  const results: Result[] = []
  for (const testCase of cases) {
    if (testCase.mode !== undefined && testCase.mode !== mode) continue
    if (options.interfaceOnly && !isFromInterface(testCase)) continue
    const result = await resultOf(testCase, deployment, options)
    results.push(result)
    onResult(result)
  }
  return { url: options.url, mode, results }
}

async function resultOf(testCase: Case, deployment: Deployment, options: DeploymentOptions): Promise<Result> {
  const exchanges: Exchange[] = []
  const start = performance.now()
  const end = (outcome: Result['outcome'], more: { faults?: string[]; reason?: string } = {}): Result => ({
    says: testCase.title,
    proves: testCase.requirement,
    source: isFromInterface(testCase) ? 'interface' : 'decision',
    outcome,
    exchanges,
    faults: more.faults ?? [],
    ...(more.reason !== undefined && { reason: more.reason }),
    ms: Math.round(performance.now() - start),
  })

  const reason = skipReason(testCase, deployment, options)
  if (reason !== undefined) return end('skipped', { reason })
  try {
    const faults = await runCase(deployment, testCase, (request, { status }) =>
      exchanges.push({ asked: describe(request), came: status }),
    )
    return end(faults.length > 0 ? 'violated' : 'kept', { faults })
  } catch (error) {
    if (error instanceof MissingDataError) return end('skipped', { reason: error.message })
    return end('violated', { faults: [`no response: ${(error as Error).message}`] })
  } finally {
    if (options.write && !isReadOnly(testCase)) await deployment.reset()
  }
}

function skipReason(
  testCase: Case,
  deployment: Deployment,
  { write }: DeploymentOptions,
): string | undefined {
  if (testCase.needsReset) return 'it ends a session, or needs a newly started service'
  if (!write && !isReadOnly(testCase)) return 'it sends more than GET and HEAD, which needs --write'
  const missing = [...personasOf(testCase)].filter((persona) => !deployment.personas.has(persona))
  if (missing.length > 0) return `no cookie of ${missing.join(', ')} was given`
  return unsupportedReason(testCase, deployment)
}

const describe = ({ method, path, as }: CaseRequest) =>
  `${method} ${path.slice(0, 80)}${as ? ` as ${as}` : ''}`
