import { button, element, type PanelPart, type RunControl } from './panel-dom.js'
import type { PanelMock } from './panel-mock.js'

const usual = ['0', '300', '200-800', '3000']

/** The delay of all responses, as text, and usual ones as buttons. */
export function delayChoice({ delay }: Pick<PanelMock, 'delay'>, run: RunControl): PanelPart {
  const set = (ms: string) => run(() => delay.set(ms || '0'))
  const input = element('input', {
    placeholder: '300 or 200-800',
    inputMode: 'numeric',
    size: 8,
    onchange: () => set(input.value.trim()),
  })
  const choices = usual.map((ms) => button(ms, () => set(ms), { ariaLabel: `Delay ${ms} ms` }))
  const note = element('small')

  return {
    node: element(
      'div',
      { className: 'row' },
      element('label', {}, 'Delay, ms', input),
      element('span', { className: 'choices' }, ...choices),
      note,
    ),
    async refresh() {
      const { all, operations } = await delay.get()
      if (!input.matches(':focus')) input.value = all
      choices.forEach((choice, index) => {
        choice.ariaPressed = String(usual[index] === all)
      })
      note.textContent = Object.entries(operations)
        .map(([name, ms]) => `${name}: ${ms} ms`)
        .join(', ')
    },
  }
}
