import { filterChoices, reduceListKey } from './list-state.js'
import { showLive } from './live.js'
import { Picker, type PickerChoice } from './views/picker.js'

/**
 * Shows a list to choose from. The terminal must satisfy `canShowLive`.
 * @returns the label of the choice; undefined if the user left
 */
export async function pick(title: string, choices: PickerChoice[]): Promise<string | undefined> {
  const current = choices.findIndex(({ isCurrent }) => isCurrent)
  let state = { filter: '', index: Math.max(0, current) }
  let settle = (_label?: string) => {}
  const picked = new Promise<string | undefined>((resolve) => {
    settle = resolve
  })
  const matches = () => filterChoices(choices, state.filter)
  const view = await showLive(
    (size) => Picker({ title, choices: matches(), ...state, emptyText: 'No match.', ...size }),
    (press) => {
      const next = reduceListKey(state, press, matches().length)
      const choice = matches()[state.index]
      if (next) state = next
      else if (press.key === 'enter' && choice) settle(choice.label)
      else if (press.key === 'escape' || press.key === 'interrupt') settle()
      view.redraw()
    },
  )
  try {
    return await Promise.race([picked, view.ended.then(() => undefined)])
  } finally {
    await view.stop()
  }
}
