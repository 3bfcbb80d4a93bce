import { button, element, type PanelPart, type RunControl } from './panel-dom.js'

/** What a row shows: the value that is set, and a note about what else is. */
export type Setting = { value: string; note: string }

type Row = {
  /** The name with its unit, e.g. `Delay, ms`. */
  label: string
  placeholder: string
  /** Values that are often set: a button for each. The first is none. */
  usual: readonly [string, ...string[]]
  read(): Promise<Setting>
  write(value: string): Promise<unknown>
}

/** A setting as text, with buttons for its usual values. */
export function settingRow({ label, placeholder, usual, read, write }: Row, run: RunControl): PanelPart {
  const set = (value: string) => run(() => write(value || usual[0]))
  const input = element('input', {
    placeholder,
    inputMode: 'numeric',
    size: 8,
    onchange: () => set(input.value.trim()),
  })
  const choices = usual.map((value) => button(value, () => set(value), { ariaLabel: `${label}: ${value}` }))
  const note = element('small')

  return {
    node: element(
      'div',
      { className: 'row' },
      element('label', {}, label, input),
      element('span', { className: 'choices' }, ...choices),
      note,
    ),
    async refresh() {
      const setting = await read()
      if (!input.matches(':focus')) input.value = setting.value
      choices.forEach((choice, index) => {
        choice.ariaPressed = String(usual[index] === setting.value)
      })
      note.textContent = setting.note
    },
  }
}
