import { expect } from 'vitest'
import { testSurface } from '../../../mock/surfaces/surface-suite.js'
import { openWorkbench } from './open-workbench.js'

testSurface(
  'the terminal',
  async ({ mock }) => ({
    cannot: { loadState: 'it reads a file of the machine: the box shows the command' },
    async perform(_control, _input, line) {
      const { type, frame, refresh } = await openWorkbench({ width: 240, height: 24 }, mock)
      await refresh()
      await type('/')
      // The box has read the records before the words are typed.
      await expect.poll(frame, { interval: 5 }).toContain('Command')
      await type(line, 'enter')
      await expect.poll(() => frame().split('\n').at(-2)?.trim(), { interval: 5 }).not.toBe('')
      return frame()
    },
  }),
  { sequences: 1 },
)
