import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import type { MockSnapshot } from '../../../../src/cli/terminal/dev/mock-snapshot.js'
import { initialUi, type Ui } from '../../../../src/cli/terminal/dev/screens.js'
import { DevScreen } from '../../../../src/cli/terminal/views/dev-screen.js'
import { afterKeys, logEntries, logEntry, mockSnapshot } from '../dev/dev-fixtures.js'

const frameOf = (mock: MockSnapshot, ui: Ui, width = 80, height = 24) =>
  render(<DevScreen mock={mock} ui={ui} width={width} height={height} />).lastFrame() ?? ''

describe('the dev screen', () => {
  const screens: [name: string, keys: string[]][] = [
    ['log', ['down', 'down']],
    ['details', ['enter']],
    ['personas', ['p']],
    ['operations and scenarios', ['f']],
    ['outcomes', ['f', 'down', 'enter']],
    ['delays', ['d']],
    ['delay prompt', ['d', 'enter', '300']],
    ['snapshot prompt', ['s', 'a'.repeat(200)]],
    ['snapshots', ['l']],
    ['reset', ['r']],
    ['help', ['?']],
  ]

  test.each(screens)('%s: as high as the terminal and no wider, at every size', async (_, keys) => {
    const mock = await mockSnapshot({
      log: logEntries(300).map((each) => ({
        ...each,
        path: `/v1/${'long/'.repeat(30)}`,
        curl: 'curl '.repeat(500),
      })),
      scenarios: [
        { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 3, session: 'acme-viewer' },
      ],
      snapshots: Array.from({ length: 50 }, (_, i) => `snapshot-${i}`),
      fixtureError: 'The fixture file is wrong. '.repeat(9),
    })
    for (const [width, height] of [
      [60, 20],
      [80, 24],
      [100, 50],
      [40, 12],
    ] as const) {
      const lines = frameOf(mock, afterKeys(mock, ...keys).ui, width, height).split('\n')
      expect(lines).toHaveLength(height)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines.at(-1)).not.toBe('')
    }
  })

  test('a low terminal shows each key of the help, and a request with its curl command', async () => {
    const mock = await mockSnapshot({ log: logEntries(1) })
    const help = frameOf(mock, afterKeys(mock, '?').ui, 60, 12)
    for (const line of [/^d +delay responses$/m, /^r +reset the mock$/m, /^q {2}Ctrl\+C +quit$/m]) {
      expect(help).toMatch(line)
    }
    expect(frameOf(mock, afterKeys(mock, 'enter').ui, 60, 12)).toContain('curl -i http://127.0.0.1:4010/v1/')
  })

  test('the log shows time, request, response, persona and what decided the response, newest first', async () => {
    const mock = await mockSnapshot({
      log: [
        logEntry(2, { status: 0, why: 'scenario listProjects drop' }),
        logEntry(1, { method: 'POST', status: 403, code: 'INSUFFICIENT_PERMISSIONS', session: undefined }),
      ],
    })
    const wide = frameOf(mock, initialUi, 100).split('\n')
    expect(wide[6]).toMatch(
      /^\d\d:\d\d:\d\d {2}GET \/v1\/projects\/2 +no response +acme-owner +scenario listP/,
    )
    expect(wide[7]).toMatch(/POST \/v1\/projects\/1 +403 INSUFFICIENT_PERMISSIONS +- +handler +1$/)
    const narrow = frameOf(mock, initialUi, 60).split('\n')
    expect(narrow[7]).toMatch(/POST \/v1\/projects\/1 +403 INSUFFICIENT_PERMISSIONS$/)
  })

  test('the header shows the settings', async () => {
    const mock = await mockSnapshot({
      scenarios: [{ target: 'empty' }, { target: 'getSession', outcome: 'hang', times: 2 }],
      delay: { all: '0', operations: { getSession: '5-9' } },
      clock: { mode: 'fixed', now: '2026-01-01T00:00:00.000Z' },
      fixtureError: 'state.json is wrong',
    })
    const frame = frameOf(mock, initialUi, 100)
    expect(frame).toContain('Forced   empty · getSession hang, 2 times')
    expect(frame).toContain('Delay    none · getSession 5-9 ms   Clock  fixed at 2026-01-01T00:00:00.000Z')
    expect(frame).toContain('state.json is wrong')
    expect(frame).toContain('npx dashboard-api session use acme-viewer')
  })

  test('control characters of a request never reach the terminal', async () => {
    const mock = await mockSnapshot({ log: [logEntry(1, { path: '/\x1b[2J', curl: 'curl \x1b]0;x\x07' })] })
    for (const keys of [[], ['enter']]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
      expect(frameOf(mock, afterKeys(mock, ...keys).ui)).not.toMatch(/\x1b\[2J|\x1b\]|\x07/)
    }
  })
})
