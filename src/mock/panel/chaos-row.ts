import { chaosTexts } from '../core/forced-text.js'
import type { PanelPart, RunControl } from './panel-dom.js'
import type { PanelMock } from './panel-mock.js'
import { settingRow } from './setting-row.js'

/**
 * How many of all requests fail at random.
 * @param onProfiles called with whether there is any profile
 */
export const chaosRow = (
  { chaos }: Pick<PanelMock, 'chaos'>,
  run: RunControl,
  onProfiles: (isActive: boolean) => void,
): PanelPart =>
  settingRow(
    {
      label: 'Fail, %',
      placeholder: '10',
      usual: ['0', '10', '50', '100'],
      async read() {
        const profiles = await chaos.get()
        const texts = chaosTexts(profiles)
        onProfiles(texts.length > 0)
        return {
          value: percentOf(profiles.all?.errorRate ?? 0),
          note: texts.join('; '),
        }
      },
      async write(percent) {
        if (percent === '0') return chaos.clear()
        // The mock refuses what is not a rate. Delay, outcomes and seed of an earlier profile stay.
        return chaos.set({ ...(await chaos.get()).all, errorRate: Number(percent) / 100 })
      },
    },
    run,
  )

const percentOf = (rate: number): string => String(Number((rate * 100).toFixed(2)))
