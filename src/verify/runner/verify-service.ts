import type { Case, CaseRequest, ReceivedResponse } from '../cases/case.js'
import { groups as allGroups, type Group } from '../cases/cases.js'
import type { Requirement } from '../cases/requirements.js'
import { callerNames } from '../cases/test-data.js'
import { type Deployment, type DeploymentOptions, openDeployment } from './deployment.js'
import { describeRequest } from './describe-request.js'
import { MissingDataError } from './discover.js'
import { inParallel } from './in-parallel.js'
import { joinedAddress } from './joined-address.js'
import { changesNothing, isFromInterface, isReadOnly, personasOf, unsupportedReason } from './needs.js'
import { runCase } from './run-case.js'
import type { Remains } from './workspace.js'

// The names of the properties below are those of the JSON report.

/** A request, e.g. `GET /v1/projects as owner`, and the status of its response. */
export type Exchange = { request: string; status: number }

/** The result of a case. */
export type Result = {
  title: string
  /** A section of the interface, or a decision where the interface is silent. */
  requirement: string
  source: 'interface' | 'decision'
  outcome: 'passed' | 'failed' | 'skipped'
  exchanges: Exchange[]
  /** What is wrong, one sentence each. */
  failures: string[]
  /** Which of several correct outcomes was seen. */
  note?: string
  /** Why the case was skipped. */
  reason?: string
  /** Duration in milliseconds. */
  ms: number
}

export type Report = {
  url: string
  mode: Deployment['mode']
  /** Why the service is taken for one of this mode. */
  modeReason: string
  results: Result[]
  /** What the cases leave behind; `addresses` are those that the waitlist has accepted. */
  leftBehind: Remains & { addresses: string[] }
}

export type VerifyOptions = DeploymentOptions & {
  /** The groups of cases to run, one after the other. Defaults to all. */
  groups?: readonly Group[]
  /** Ends the run before the next case. What was changed is restored all the same. */
  signal?: AbortSignal
}

/** What is called as a run goes on. */
export type Progress = {
  onResult?(result: Result): void
  /** @param results those of the group, in the order of its cases */
  onGroup?(name: string, results: readonly Result[]): void
}

/**
 * Runs the cases against a deployment. Of a group, those that change no project run side by side, then those that only
 * add some of their own, then each of the others alone.
 * @throws DeploymentError where the deployment cannot be reached or cannot be verified with these options
 */
export async function verify(
  options: VerifyOptions,
  { onResult = () => {}, onGroup = () => {} }: Progress = {},
): Promise<Report> {
  const { groups = allGroups, signal, interfaceOnly, write } = options
  const deployment = await openDeployment(options)
  const { mode, modeReason } = deployment
  const results: Result[] = []
  const addresses = new Set<string>()

  const runGroup = async ({ name, cases }: Group) => {
    const chosen = cases.filter(
      (testCase) => (testCase.mode ?? mode) === mode && !(interfaceOnly && !isFromInterface(testCase)),
    )
    const done = new Map<Case, Result>()
    const run = async (testCase: Case): Promise<Result | undefined> => {
      if (signal?.aborted) return undefined
      const result = await resultOf(testCase, deployment, options, addresses)
      done.set(testCase, result)
      onResult(result)
      return result
    }
    const adding = chosen.filter((testCase) => testCase.addsOnly && !changesNothing(testCase))
    const alone = chosen.filter((testCase) => !testCase.addsOnly && !changesNothing(testCase))
    for (const some of [chosen.filter(changesNothing), adding, ...alone.map((testCase) => [testCase])]) {
      const ran = await inParallel(some, run)
      // Those that change nothing do so where the service has a fault.
      if (some.some((testCase, i) => !isReadOnly(testCase) && ran[i] && ran[i].outcome !== 'skipped'))
        await deployment.reset()
    }
    addGroup(
      name,
      chosen.flatMap((testCase) => done.get(testCase) ?? []),
    )
  }
  const addGroup = (name: string, ofGroup: readonly Result[]) => {
    results.push(...ofGroup)
    if (ofGroup.length > 0) onGroup(name, ofGroup)
  }
  const addOnce = (title: string, requirement: Requirement, failures: readonly string[]) => {
    const result = ofRun(title, requirement, failures)
    results.push(result)
    onResult(result)
  }

  if (write) {
    const title = 'The teams are prepared for the cases that write'
    addOnce(title, '4.1 create a project', deployment.preparationFaults)
  }
  for (const group of groups) if (!signal?.aborted) await runGroup(group)
  const remains = await deployment.restore()
  if (write) {
    const title = 'The names that cases have used become free'
    addOnce(title, '4.3 update a project', deployment.cleanUpFaults())
  }
  if (!interfaceOnly) {
    const title = 'The pages that errors link to open and are about their codes'
    addOnce(title, 'responses: docsUrl opens a page about the code', await deployment.docsFaults())
  }
  return {
    url: options.url,
    mode,
    modeReason,
    results,
    leftBehind: { ...remains, addresses: [...addresses] },
  }
}

/** The result of what is checked once in a run. */
const ofRun = (title: string, requirement: Requirement, failures: readonly string[]): Result => ({
  title,
  requirement,
  source: isFromInterface({ requirement }) ? 'interface' : 'decision',
  outcome: failures.length > 0 ? 'failed' : 'passed',
  exchanges: [],
  failures: [...failures],
  ms: 0,
})

async function resultOf(
  testCase: Case,
  deployment: Deployment,
  options: VerifyOptions,
  addresses: Set<string>,
): Promise<Result> {
  const exchanges: Exchange[] = []
  const responses: ReceivedResponse[] = []
  const start = performance.now()
  const end = (outcome: Result['outcome'], more: { failures?: string[]; reason?: string } = {}): Result => {
    const note = outcome === 'passed' ? testCase.note?.(responses) : undefined
    return {
      title: testCase.title,
      requirement: testCase.requirement,
      source: isFromInterface(testCase) ? 'interface' : 'decision',
      outcome,
      exchanges,
      failures: more.failures ?? [],
      ...(note !== undefined && { note }),
      ...(more.reason !== undefined && { reason: more.reason }),
      ms: Math.round(performance.now() - start),
    }
  }
  const onResponse = (request: CaseRequest, response: ReceivedResponse) => {
    exchanges.push({ request: describeRequest(request), status: response.status })
    responses.push(response)
    const address = joinedAddress(request, response)
    if (address !== undefined) addresses.add(address)
  }

  const reason = skipReason(testCase, deployment, options)
  if (reason !== undefined) return end('skipped', { reason })
  try {
    const failures = await runCase(deployment, testCase, onResponse)
    return end(failures.length > 0 ? 'failed' : 'passed', { failures })
  } catch (error) {
    if (error instanceof MissingDataError) return end('skipped', { reason: error.message })
    return end('failed', { failures: [`no response: ${(error as Error).message}`] })
  }
}

function skipReason(
  testCase: Case,
  deployment: Deployment,
  { write }: DeploymentOptions,
): string | undefined {
  if (testCase.needsReset) return 'it ends a session, or needs a newly started service'
  if (!isReadOnly(testCase)) {
    if (!write) return 'it sends more than GET and HEAD, which needs --write'
    if (deployment.preparationFaults.length > 0) return 'the teams could not be prepared'
  }
  const missing = [...personasOf(testCase)].filter((persona) => !deployment.personas.has(persona))
  if (missing.length > 0)
    return `no cookie of ${missing.map((persona) => callerNames[persona]).join(', ')} was given`
  return unsupportedReason(testCase, deployment)
}
