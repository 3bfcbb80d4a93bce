import type { OperationName } from '../../../contract/operations.js'
import type { Controls } from '../../../mock/core/controls.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import { forcedText } from './texts.js'

/** Something that a key makes happen beside what is shown. */
export type Effect =
  | { do: 'use'; id: string }
  | { do: 'force'; scenario: Scenario }
  | { do: 'clear'; target?: string }
  | { do: 'delay'; ms: string; operation?: OperationName }
  | { do: 'reset' }
  | { do: 'save'; name: string }
  | { do: 'load'; name: string }
  | { do: 'open' }
  | { do: 'quit' }

/** What effects act on. */
export type EffectContext = { controls: Controls; openPage(): Promise<void>; quit(): void }

/**
 * Makes it happen, and says in a sentence what has.
 * @throws ControlError for what the mock refuses
 */
export async function perform(effect: Effect, { controls, openPage, quit }: EffectContext): Promise<string> {
  switch (effect.do) {
    case 'use':
      await controls.sessions.use(effect.id)
      return `session=active stands for ${effect.id} from the next request on.`
    case 'force':
      await controls.scenarios.set(effect.scenario)
      return `Forced: ${forcedText(effect.scenario)}.`
    case 'clear':
      await controls.scenarios.clear(effect.target)
      return effect.target ? `Nothing is forced on ${effect.target} any more.` : 'Nothing is forced any more.'
    case 'delay': {
      const { ms, operation } = effect
      // Nothing typed takes back what was set.
      await controls.delay.set(ms === '' ? null : ms, operation)
      if (operation === undefined) return `Answers wait ${ms === '' ? 'no longer' : `${ms} ms`}.`
      return `Answers of ${operation} wait ${ms === '' ? 'as long as all others' : `${ms} ms`}.`
    }
    case 'reset':
      await controls.reset()
      return 'The mock is as it began; the log stays.'
    case 'save':
      await controls.snapshots.save(effect.name)
      return `Saved the state as ${effect.name}.`
    case 'load':
      await controls.snapshots.load(effect.name)
      return `The state is that of ${effect.name}.`
    case 'open':
      await openPage()
      return 'The page is open in the browser.'
    case 'quit':
      quit()
      return ''
  }
}
