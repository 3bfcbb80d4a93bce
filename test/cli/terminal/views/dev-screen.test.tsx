import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import type { MockSnapshot } from '../../../../src/cli/terminal/dev/mock-snapshot.js'
import type { Screen } from '../../../../src/cli/terminal/dev/screen-types.js'
import { DevScreen } from '../../../../src/cli/terminal/views/dev-screen.js'
import {
  afterKeys,
  afterKeysAt,
  createMock,
  logEntries,
  logEntry,
  mockSnapshot,
} from '../dev/dev-fixtures.js'

const frameOf = (mock: MockSnapshot, screen: Screen = { type: 'log' }, width = 80, height = 24) =>
  render(<DevScreen mock={mock} screen={screen} width={width} height={height} />).lastFrame() ?? ''

describe('the dev screen', () => {
  const screens: [name: string, keys: string[]][] = [
    ['log', ['down', 'down']],
    ['details', ['enter']],
    ['personas', ['p']],
    ['targets and scenarios', ['f']],
    ['outcomes', ['f', 'down', 'enter']],
    ['delays', ['d']],
    ['delay prompt', ['d', 'enter', '3'.repeat(200)]],
    ['reset', ['r']],
    ['waitlist', ['w']],
    ['help', ['?']],
  ]

  test.each(screens)('%s: as high as the terminal and no wider, at every size', async (_, keys) => {
    const curl = 'curl '.repeat(500)
    const path = `/v1/${'long/'.repeat(30)}`
    const mock = await mockSnapshot({
      log: logEntries(300).map((each) => ({ ...each, path, curl })),
      scenarios: [
        { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 3, session: 'acme-viewer' },
      ],
      others: ['chaos: 10 % fail, seed 7'.repeat(9)],
      waitlist: Array.from({ length: 50 }, (_, i) => ({
        email: `${i}@${'x'.repeat(99)}.example`,
        createdAt: '',
      })),
      fixtureError: 'The fixture file is wrong. '.repeat(9),
    })
    for (const [width, height] of [
      [60, 20],
      [80, 24],
      [120, 40],
      [40, 12],
    ] as const) {
      const { screen } = afterKeysAt({ width, height }, mock, ...keys)
      const lines = frameOf(mock, screen, width, height).split('\n')
      expect(lines).toHaveLength(height)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines.at(-1)).not.toBe('')
    }
  })

  test('shows persona, what is forced, the delay, chaos and a clock that was set', async () => {
    const { controls } = createMock()
    await controls.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    await controls.delay.set('200-800')
    await controls.delay.set('300', 'getSession')
    await controls.chaos.set({ errorRate: 0.1, seed: 7 })
    await controls.clock.set({ at: '2026-01-01T00:00:00Z' })
    const { readMockSnapshot } = await import('../../../../src/cli/terminal/dev/mock-snapshot.js')
    const frame = frameOf({ url: 'http://mock', ...(await readMockSnapshot(controls)) }, undefined, 160)
    expect(frame).toMatch(/^dashboard-api mock at http:\/\/mock$/m)
    expect(frame).toMatch(
      /^Persona {2}acme-owner ada@acme\.example · owner · org_acme {3}without a cookie: nobody$/m,
    )
    expect(frame).toMatch(/^Forced {3}createProject PROJECT_NAME_TAKEN, once$/m)
    expect(frame).toMatch(
      /^Delay {4}200-800 ms · getSession 300 ms {3}chaos: 10 % fail, seed 7 {3}clock fixed at 2026-01-01T00:00:00/m,
    )
    expect(frame).toContain('No requests yet')
  })

  test('shows requests with their cause; the selected one stays visible', async () => {
    const log = [logEntry(2, { status: 409, code: 'PROJECT_NAME_TAKEN', why: 'scenario' }), ...logEntries(1)]
    expect(frameOf(await mockSnapshot({ log }))).toMatch(
      /\/v1\/projects\/2 +409 PROJECT_NAME_TAKEN +acme-owner +scenario/,
    )
    const mock = await mockSnapshot({ log: logEntries(100) })
    const { screen } = afterKeys(mock, ...Array<string>(60).fill('down'))
    expect(frameOf(mock, screen)).toContain('/v1/projects/41 ')
  })

  test('the details show what changed, bodies and headers, and scroll through the whole curl command', async () => {
    const size = { width: 60, height: 12 }
    const wide = Array.from({ length: 180 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
    const curl = `curl -i '${'x'.repeat(70)}' --data-raw '${wide}\n  indented'`
    const entry = logEntry(2, { curl })
    const mock = await mockSnapshot({
      log: [entry, logEntry(1)],
      details: {
        ...entry,
        fetch: '',
        request: { url: '', headers: { accept: '*/*' }, body: { text: '{"name":"B"}', length: 12 } },
        response: { headers: { 'x-own': '1' }, body: { text: 'cut', length: 99 } },
        changes: [
          { kind: 'projects', key: 'p', before: { id: 'p', name: 'A' }, after: { id: 'p', name: 'B' } },
        ] as never,
      },
    })
    const pages = Array.from({ length: 9 }, (_, i) => {
      const { screen } = afterKeysAt(size, mock, 'enter', ...Array<string>(i).fill(' '))
      return frameOf(mock, screen, size.width, size.height).split('\n').slice(0, 9)
    })
    const text = [...new Set(pages.flat())].join('\n')
    for (const line of [
      ...['projects p changed', '- {"name":"A"}', '+ {"name":"B"}', '  "name": "B"'],
      ...['(3 of 99 characters)', 'accept: */*', 'x-own: 1', "  indented'"],
    ]) {
      expect(text.split('\n')).toContain(line)
    }
    expect(text.replace(/\s/g, '')).toContain(curl.replace(/\s/g, ''))
    expect(pages.at(-1)?.at(-1)).toBe('To copy it: npx dashboard-api log --curl 2')
    expect(afterKeysAt(size, mock, 'enter', ' ', 'b').screen).toMatchObject({ id: 2, first: 0 })
    // Another request is shown from its beginning.
    expect(afterKeysAt(size, mock, 'enter', ' ', 'down').screen).toMatchObject({ id: 1, first: 0 })
  })

  test('the waitlist shows the newest address first', async () => {
    const { controls } = createMock()
    await controls.data.add('waitlist', { email: 'new@b.example' })
    const { readMockSnapshot } = await import('../../../../src/cli/terminal/dev/mock-snapshot.js')
    const mock = { url: '', ...(await readMockSnapshot(controls)) }
    const lines = frameOf(mock, afterKeys(mock, 'w').screen).split('\n')
    expect(lines[5]).toMatch(/^3 addresses/)
    expect(lines[7]).toMatch(/ {2}new@b\.example$/)
  })

  test('the last line has as many keys as fit', async () => {
    const mock = await mockSnapshot()
    expect(frameOf(mock).split('\n').at(-1)).toMatch(/^q quit {2}\? help {2}p persona {2}f force {2}d delay/)
    expect(frameOf(mock, undefined, 40).split('\n').at(-1)).not.toContain('waitlist')
    expect(frameOf(mock, afterKeys(mock, 'f', 'enter').screen)).toContain('Tab once')
    expect(frameOf(mock, afterKeys(mock, 'f', 'enter', 'tab').screen)).toContain('Tab until cleared')
  })
})
