import type { Case } from '../cases/case.js'
import { groups as allGroups, type Group } from '../cases/cases.js'
import { type Deployment, type DeploymentOptions, openDeployment } from './deployment.js'
import { describeRequest, MissingDataError } from './discover.js'
import { docsFaults } from './docs-pages.js'
import { changesNothing, isFromInterface, isReadOnly } from './needs.js'
import { runCase } from './run-case.js'
import type { Remains } from './workspaces.js'

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
  /** The groups of cases to run. Defaults to all. */
  groups?: readonly Group[]
  /** Ends the run before the next case. What was changed is restored all the same. */
  signal?: AbortSignal
}

/** How many cases run at a time. */
const sideBySide = 12

/** What is called as a run goes on. */
export type Progress = {
  onResult?(result: Result): void
  /** @param results those of the group, in the order of its cases */
  onGroup?(name: string, results: readonly Result[]): void
}

/**
 * Runs the cases against a deployment: those that change no project side by side, then each of the others alone.
 * @throws DeploymentError where the deployment cannot be reached or cannot be verified with these options
 */
export async function verify(
  options: VerifyOptions,
  { onResult = () => {}, onGroup = () => {} }: Progress = {},
): Promise<Report> {
  const { url, groups = allGroups, signal, interfaceOnly } = options
  const deployment = await openDeployment(options)
  const { mode, modeReason, workspaces } = deployment
  const results: Result[] = []
  const addresses = new Set<string>()
  /** The result of what is no case: its faults were found on the way. */
  const once = (title: string, requirement: string, failures: readonly string[]) => {
    const outcome = failures.length > 0 ? 'failed' : 'passed'
    const result: Result = { ...unknownResult({ title, requirement }), outcome, failures: [...failures] }
    onResult(result)
    results.push(result)
  }
  const applies = (each: Case) => (each.mode ?? mode) === mode && (!interfaceOnly || isFromInterface(each))
  const chosen = groups.map(({ name, cases }) => ({ name, cases: cases.filter(applies) }))
  const done = new Map<Case, Result>()
  const resultsOf = ({ cases }: Group) => cases.flatMap((testCase) => done.get(testCase) ?? [])
  const runSome = async (waiting: Iterable<Case>) => {
    for (const testCase of waiting) {
      if (signal?.aborted) return
      const result = await tryCase(testCase, deployment, addresses)
      done.set(testCase, result)
      onResult(result)
      const group = chosen.find(({ cases }) => cases.includes(testCase))
      if (group?.cases.every((each) => done.has(each))) onGroup(group.name, resultsOf(group))
    }
  }
  /** Runs cases side by side, and restores what they have changed: where the service has a fault, any case may. */
  const run = async (some: readonly Case[]) => {
    const waiting = some.values()
    await Promise.all(Array.from({ length: sideBySide }, () => runSome(waiting)))
    if (workspaces && some.some((testCase) => !isReadOnly(testCase) && done.has(testCase)))
      await deployment.reset()
  }

  once('The callers and their projects can be read', '4.4 the session bundle', deployment.faults)
  const prepared = 'The teams are prepared for the cases that write'
  if (workspaces) once(prepared, '4.1 create a project', workspaces.preparationFaults)
  const all = chosen.flatMap(({ cases }) => cases)
  await run(all.filter(changesNothing))
  for (const testCase of all) if (!changesNothing(testCase)) await run([testCase])
  results.push(...chosen.flatMap(resultsOf))
  const remains = (await workspaces?.end()) ?? { projects: [], changes: [] }
  if (workspaces)
    once('The names that cases have used become free', '4.3 update a project', [...workspaces.cleanUpFaults])
  const pages = 'The pages that errors link to open and are about their codes'
  const aboutPages = 'responses: docsUrl opens a page about the code'
  if (!interfaceOnly) once(pages, aboutPages, await docsFaults(deployment))
  return { url, mode, modeReason, results, leftBehind: { ...remains, addresses: [...addresses] } }
}

/** A result before its case has run. */
const unknownResult = ({ title, requirement }: Pick<Case, 'title' | 'requirement'>) => ({
  title,
  requirement,
  source: isFromInterface({ requirement }) ? ('interface' as const) : ('decision' as const),
  exchanges: [] as Exchange[],
  failures: [] as string[],
  ms: 0,
})

async function tryCase(testCase: Case, deployment: Deployment, addresses: Set<string>): Promise<Result> {
  const result = unknownResult(testCase)
  const skipped = (reason: string): Result => ({ ...result, outcome: 'skipped', reason })
  const { workspaces } = deployment
  if (!isReadOnly(testCase)) {
    if (!workspaces) return skipped('it sends more than GET and HEAD, which needs --write')
    if (workspaces.preparationFaults.length > 0) return skipped('the teams could not be prepared')
  }
  const start = performance.now()
  try {
    result.failures = await runCase(deployment, testCase, ({ request, response, name, isSuccess, given }) => {
      result.exchanges.push({ request: describeRequest(request), status: response.status })
      const { email } = Object(given)
      if (name === 'joinWaitlist' && isSuccess) addresses.add(`${email}`.trim().toLowerCase())
    })
  } catch (error) {
    const { message } = error as Error
    const isMissing = error instanceof MissingDataError
    // What the options did not give is known before the first request: what is missing later, the service did not give.
    if (isMissing && result.exchanges.length === 0) return skipped(message)
    result.failures = [isMissing ? message : `no response: ${message}`]
  }
  result.ms = Math.round(performance.now() - start)
  return { ...result, outcome: result.failures.length > 0 ? 'failed' : 'passed' }
}
