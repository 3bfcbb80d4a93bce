import type { Case, Persona } from '../../src/conformance/cases/case.js'
import { personas } from '../../src/conformance/cases/test-data.js'
import { DeploymentError } from '../../src/conformance/runner/discover.js'
import { isReadOnly, requestsOf } from '../../src/conformance/runner/needs.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { verify } from '../../src/conformance/runner/verify-service.js'
import { type Behaviour, proxySend } from './broken-server-proxy.js'

/**
 * The title of the first of these cases that fails against a server that behaves so, or why the verifier does not
 * start; undefined if all pass.
 */
export async function firstFailure(
  target: Target,
  chosen: readonly Case[],
  behave: Behaviour,
): Promise<string | undefined> {
  const write = !chosen.every(isReadOnly)
  const callers = chosen.flatMap(requestsOf).flatMap(({ as }) => as ?? [])
  const needed = new Set<Persona>(['acme-owner', 'globex-owner', ...callers])
  let failure: string | undefined
  const stop = new AbortController()
  try {
    await verify(
      {
        url: target.baseUrl,
        mode: target.mode,
        cookies: new Map(personas.filter((as) => needed.has(as)).map((as) => [as, target.cookieOf(as)])),
        write,
        interfaceOnly: target.interfaceOnly ?? false,
        groups: [{ name: 'chosen', cases: chosen }],
        signal: stop.signal,
        send: proxySend(target, behave),
      },
      {
        onResult({ title, outcome }) {
          if (outcome !== 'failed') return
          failure ??= title
          stop.abort()
        },
      },
    )
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error
    failure ??= `does not start: ${error.message}`
  }
  return failure
}
