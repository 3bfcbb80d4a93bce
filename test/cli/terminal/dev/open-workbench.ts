import { render } from 'ink-testing-library'
import { getResponse } from 'msw'
import { onTestFinished } from 'vitest'
import demo from '../../../../fixtures/demo.json' with { type: 'json' }
import { createWorkbench } from '../../../../src/cli/terminal/dev/workbench.js'
import type { KeyPress } from '../../../../src/cli/terminal/key-press.js'
import type { Size } from '../../../../src/cli/terminal/live.js'
import { createMockApi, type MockApi } from '../../../../src/mock/mock-api.js'
import { parseState } from '../../../../src/store/state-file.js'

export const url = 'http://localhost:4010'
export const createMock = (): MockApi => createMockApi({ fixtures: parseState(demo), baseUrl: url })

const keyNames =
  'up down left right pageUp pageDown home end enter escape tab backspace clear interrupt'.split(' ')
const toKeyPress = (key: string): KeyPress => (keyNames.includes(key) ? ({ key } as KeyPress) : { text: key })

/** The screen of `dev` for a mock. A test reads the screen, and types keys. */
export async function openWorkbench(size: Size = { width: 80, height: 24 }, mock: MockApi = createMock()) {
  const { controls } = mock
  let quits = 0
  let redraws = 0
  const workbench = await createWorkbench(url, controls, {
    redraw: () => {
      redraws += 1
      view.rerender(workbench.view(size))
    },
    quit: () => {
      quits += 1
    },
  })
  const view = render(workbench.view(size))
  onTestFinished(() => view.unmount())
  return {
    controls,
    update: workbench.update,
    refresh: workbench.refresh,
    quits: () => quits,
    frame: () => view.lastFrame() ?? '',
    lines: () => (view.lastFrame() ?? '').split('\n').map((line) => line.trimEnd()),
    /** Types keys, and waits for the effect of each. */
    async type(...keys: string[]) {
      for (const key of keys) {
        workbench.press(toKeyPress(key))
        view.rerender(workbench.view(size))
        // A change of the mock redraws the screen when it is done, and again when the mock was read.
        for (let before = -1; before !== redraws; ) {
          before = redraws
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
    },
    /** Sends a request as the active persona; `refresh` shows it. */
    async send(method: string, path: string, body?: unknown) {
      const request = new Request(`${url}${path}`, {
        method,
        headers: { cookie: 'session=active', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      await getResponse(mock.handlers, request)
    },
  }
}
