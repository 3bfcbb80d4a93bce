import type { Answer, Case, Request } from '../cases/case.js'
import { cases } from '../cases/cases.js'
import { type Deployment, type DeploymentOptions, openDeployment } from './deployment.js'
import { NotGivenError } from './discover.js'
import { isOfInterface, isReadOnly, personasOf, whyNotSent } from './needs.js'
import { play } from './play.js'

/** What was asked, e.g. `GET /v1/projects as acme-owner`, and the status that came. */
export type Exchange = { asked: string; came: number }

/** What came of a case. */
export type Result = {
  says: string
  /** The section of the interface, or the decision where it is silent, that says so. */
  proves: string
  source: 'interface' | 'decision'
  outcome: 'kept' | 'violated' | 'skipped'
  exchanges: Exchange[]
  /** What was not as expected, one sentence each. */
  faults: string[]
  /** Why it was skipped. */
  reason?: string
  /** How long it took, in milliseconds. */
  ms: number
}

export type Report = { url: string; mode: Deployment['mode']; results: Result[] }

/**
 * Plays the one table of cases against a deployment.
 * @param onResult told of each case as it ends
 * @throws DeploymentError where the deployment cannot be reached, or not be verified as asked for
 */
export async function verify(
  options: DeploymentOptions,
  onResult: (result: Result) => void = () => {},
): Promise<Report> {
  const deployment = await openDeployment(options)
  const { mode } = deployment
  const results: Result[] = []
  for (const one of cases) {
    if (one.mode !== undefined && one.mode !== mode) continue
    if (options.interfaceOnly && !isOfInterface(one)) continue
    const result = await resultOf(one, deployment, options)
    results.push(result)
    onResult(result)
  }
  return { url: options.url, mode, results }
}

async function resultOf(one: Case, deployment: Deployment, options: DeploymentOptions): Promise<Result> {
  const exchanges: Exchange[] = []
  const started = performance.now()
  const end = (outcome: Result['outcome'], more: { faults?: string[]; reason?: string } = {}): Result => ({
    says: one.title,
    proves: one.requirement,
    source: isOfInterface(one) ? 'interface' : 'decision',
    outcome,
    exchanges,
    faults: more.faults ?? [],
    ...(more.reason !== undefined && { reason: more.reason }),
    ms: Math.round(performance.now() - started),
  })

  const reason = whySkipped(one, deployment, options)
  if (reason !== undefined) return end('skipped', { reason })
  try {
    const faults = await play(deployment, one, (request, { status }: Answer) =>
      exchanges.push({ asked: asked(request), came: status }),
    )
    return end(faults.length > 0 ? 'violated' : 'kept', { faults })
  } catch (error) {
    if (error instanceof NotGivenError) return end('skipped', { reason: error.message })
    return end('violated', { faults: [`no answer came: ${(error as Error).message}`] })
  } finally {
    if (options.write && !isReadOnly(one)) await deployment.reset()
  }
}

function whySkipped(one: Case, deployment: Deployment, { write }: DeploymentOptions): string | undefined {
  if (one.needsReset) return 'it ends a session, or needs a service that was just started'
  if (!write && !isReadOnly(one)) return 'it sends more than GET and HEAD, which takes --write'
  const missing = [...personasOf(one)].filter((persona) => !deployment.personas.has(persona))
  if (missing.length > 0) return `no cookie of ${missing.join(', ')} was given`
  return whyNotSent(one, deployment)
}

const asked = ({ method, path, as }: Request) => `${method} ${path.slice(0, 80)}${as ? ` as ${as}` : ''}`
