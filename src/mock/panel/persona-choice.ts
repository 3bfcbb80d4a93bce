import { element, type PanelPart, type RunControl } from './panel-dom.js'
import type { PanelSource } from './panel-mock.js'

/** A list of the personas, to sign in as one of them or to sign out. */
export function personaChoice(
  source: PanelSource,
  run: RunControl,
  onCurrent: (id: string | undefined) => void,
): PanelPart {
  const note = element('small', { id: 'note' })
  const select = element('select', {
    onchange: () =>
      run(async () => {
        const id = select.value
        await (id ? source.use(id) : source.signOut())
      }, true),
  })
  select.setAttribute('aria-describedby', note.id)
  let shown = ''

  return {
    node: element('div', { className: 'row' }, element('label', {}, 'Persona', select), note),
    async refresh() {
      const { personas, current = '' } = await source.personas()
      const ids = [...new Set(['', ...personas.map(({ id }) => id), current])]
      // An open list would close if its options were replaced.
      if (ids.join('\n') !== shown) {
        shown = ids.join('\n')
        select.replaceChildren(...ids.map((id) => element('option', { value: id }, id || 'signed out')))
      }
      if (select.value !== current) select.value = current
      note.textContent = personas.find(({ id }) => id === current)?.note ?? ''
      onCurrent(current || undefined)
    },
  }
}
