import { possibleScenarios, type ScenarioSetting } from '../engine/scenarios.js'
import { personaNamed } from '../state/personas.js'
import type { Recorder } from './recorder.js'

/** The outcomes of each operation that can be forced, and the named scenarios with their descriptions. */
export type PossibleScenarios = ReturnType<typeof possibleScenarios>

export function createForcingControls({ parts, named, set }: Recorder) {
  const { targets, scenarios, personas } = parts
  return {
    targets: {
      /** The targets of requests, with their counts: operations, the user's handlers, and paths without a handler. */
      list: async () => targets.list(),
      /** Describes a target, an operation by its contract: who may call it, its input with limits, its responses with codes. */
      async describe(target: string) {
        const { describeTarget } = await import('../engine/describe-target.js')
        return describeTarget(target, targets)
      },
      /** Returns forced outcomes and custom responses as a file of MSW handlers. Comments name what a file cannot express. */
      async export() {
        const { exportHandlers } = await import('../log/export-handlers.js')
        return { text: await exportHandlers(parts) }
      },
    },
    scenarios: {
      list: async () => scenarios.list(),
      possible: async () => possibleScenarios(),
      /**
       * Forces an outcome or a custom response, or starts a named scenario. It replaces the one with the same target and
       * persona. A forced outcome or response is for the next request, unless `times` is given: a number, or null for until it
       * is cleared. A response for a method and path without a handler makes one.
       */
      async set(scenario: ScenarioSetting) {
        if (scenario.session !== undefined) personaNamed(scenario.session, await personas.list())
        const valid = scenarios.checked(scenario)
        return set('setScenario', valid, () => scenarios.set(valid), scenarios.list)
      },
      /** Ends all scenarios, or those of one target. */
      async clear(given?: string) {
        const target = named(given)
        return set('clearScenarios', { target }, () => scenarios.clear(target), scenarios.list)
      },
    },
  }
}
