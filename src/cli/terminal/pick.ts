import { filtered, onListKey } from './list-keys.js'
import { showLive } from './live.js'
import { Picker } from './views/picker.js'

type Choice = { label: string; hint: string; isCurrent?: boolean }

/**
 * Lets the reader choose from a list, on a terminal that `canShowLive`.
 * @returns the label that was chosen; undefined where the reader left
 */
export async function pick(title: string, choices: Choice[]): Promise<string | undefined> {
  let position = {
    filter: '',
    index: Math.max(
      0,
      choices.findIndex(({ isCurrent }) => isCurrent),
    ),
  }
  let leave = (_chosen?: string) => {}
  const chosen = new Promise<string | undefined>((resolve) => {
    leave = resolve
  })
  const left = () => filtered(choices, position.filter)
  const view = await showLive(
    (size) => Picker({ title, choices: left(), ...position, nothing: 'Nothing has these letters.', ...size }),
    (press) => {
      const moved = onListKey(position, press, left().length)
      if (moved) position = moved
      else if (press.key === 'enter' && left()[position.index]) leave(left()[position.index]?.label)
      else if (press.key === 'escape' || press.key === 'interrupt') leave()
      view.redraw()
    },
  )
  try {
    return await Promise.race([chosen, view.ended.then(() => undefined)])
  } finally {
    await view.stop()
  }
}
