import type { PanelPart, RunControl } from './panel-dom.js'
import type { PanelMock } from './panel-mock.js'
import { settingRow } from './setting-row.js'

/** The delay of all responses. */
export const delayRow = ({ delay }: Pick<PanelMock, 'delay'>, run: RunControl): PanelPart =>
  settingRow(
    {
      label: 'Delay, ms',
      placeholder: '300 or 200-800',
      usual: ['0', '300', '200-800', '3000'],
      async read() {
        const { all, operations } = await delay.get()
        const ofOne = Object.entries(operations).map(([name, ms]) => `${name}: ${ms} ms`)
        return { value: all, note: ofOne.join('; ') }
      },
      write: delay.set,
    },
    run,
  )
