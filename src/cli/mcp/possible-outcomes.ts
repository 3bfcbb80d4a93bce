import type { ControlOutput } from '../../mock/controls/control-endpoints.js'
import type { Call } from './read-log.js'

/**
 * The outcomes that can be forced: of all operations, or of one operation, handler or named scenario.
 * @throws an Error for an unknown target, with the known ones
 */
export async function possibleOutcomes(call: Call, target: string | undefined) {
  const { operations, named } = (await call('possibleScenarios')) as ControlOutput<'possibleScenarios'>
  if (target === undefined) return { operations, named }
  const scenario = Object.entries(named).find(([name]) => name === target)
  if (scenario) return { target, kind: 'scenario', description: scenario[1], outcomes: [] }
  const targets = (await call('targets')) as ControlOutput<'targets'>
  const found =
    targets.find((each) => each.target === target) ??
    targets.find(({ method, path }) => `${method} ${path}` === target.replaceAll(/\{(\w+)\}/g, ':$1'))
  if (found) return { target: found.target, kind: found.kind, outcomes: found.outcomes }
  const possible = [...targets.map((each) => each.target), ...Object.keys(named)]
  throw new Error(`There is no target "${target}". Possible: ${possible.join(', ')}.`)
}
