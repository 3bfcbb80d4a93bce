import demo from '../../../../fixtures/demo.json' with { type: 'json' }
import { type MockSnapshot, readMockSnapshot } from '../../../../src/cli/terminal/dev/mock-snapshot.js'
import { pageRows } from '../../../../src/cli/terminal/dev/pages.js'
import type { Action, Screen } from '../../../../src/cli/terminal/dev/screen-types.js'
import { reduceKey } from '../../../../src/cli/terminal/dev/screens.js'
import type { KeyPress } from '../../../../src/cli/terminal/key-press.js'
import type { Size } from '../../../../src/cli/terminal/live.js'
import { bodyHeight } from '../../../../src/cli/terminal/views/dev-screen.js'
import { createMockApi, type MockApi } from '../../../../src/mock/core/mock-api.js'
import type { LogEntry } from '../../../../src/mock/core/request-log.js'
import { parseState } from '../../../../src/store/state-file.js'

export const url = 'http://127.0.0.1:4010'
export const createMock = (): MockApi => createMockApi({ fixtures: parseState(demo), baseUrl: url })

export const mockSnapshot = async (changes: Partial<MockSnapshot> = {}): Promise<MockSnapshot> => ({
  url,
  ...(await readMockSnapshot(createMock().controls)),
  ...changes,
})

export const logEntry = (id: number, changes: Partial<LogEntry> = {}): LogEntry => ({
  id,
  time: '2026-01-01T12:00:00.000Z',
  method: 'GET',
  path: `/v1/projects/${id}`,
  target: 'listProjects',
  kind: 'operation',
  operation: 'listProjects',
  session: 'acme-owner',
  status: 200,
  why: 'handler',
  ms: 1.4,
  curl: `curl -i ${url}/v1/projects/${id}`,
  ...changes,
})
/** Newest first. */
export const logEntries = (count: number) => Array.from({ length: count }, (_, i) => logEntry(count - i))

const keyNames =
  'up down left right pageUp pageDown home end enter escape tab backspace clear interrupt'.split(' ')
export const toKeyPress = (key: string): KeyPress =>
  keyNames.includes(key) ? ({ key } as KeyPress) : { text: key }

/** The screen after these keys, and what the last one does. */
export const afterKeys = (mock: MockSnapshot, ...keys: string[]) =>
  afterKeysAt({ width: 80, height: 24 }, mock, ...keys)

/** The same on a terminal of a size. */
export function afterKeysAt({ width, height }: Size, mock: MockSnapshot, ...keys: string[]) {
  let screen: Screen = { type: 'log' }
  let action: Action = {}
  for (const key of keys) {
    const rows = screen.type === 'page' ? pageRows(screen, mock, width).length : 0
    action = reduceKey(screen, toKeyPress(key), mock, { height: bodyHeight(screen, mock, height), rows })
    screen = action.screen ?? screen
  }
  return { screen, action }
}
