import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import type { MockSnapshot } from '../../../../src/cli/terminal/dev/mock-snapshot.js'
import { initialUi, type Ui } from '../../../../src/cli/terminal/dev/screens.js'
import { DevScreen } from '../../../../src/cli/terminal/views/dev-screen.js'
import {
  afterKeys,
  afterKeysAt,
  createMock,
  logEntries,
  logEntry,
  mockSnapshot,
} from '../dev/dev-fixtures.js'

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
    ['chaos', ['x']],
    ['chaos prompt', ['x', 'enter', '0.1 200-2000 7']],
    ['response prompt', ['f', 'down', 'enter', 'own', 'enter', '{"projects":['.repeat(20)]],
    ['clock prompt', ['c', '2026-01-01T00:00:00Z']],
    ['snapshot prompt', ['s', 'a'.repeat(200)]],
    ['snapshots', ['l']],
    ['reset', ['r']],
    ['help', ['?']],
    ['data', ['e']],
    ['a field', ['e', 'end', 'right', 'enter']],
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
      chaos: { all: { errorRate: 0.1, seed: 7, outcomes: ['drop', 'RATE_LIMITED'] }, operations: {} },
      snapshots: Array.from({ length: 50 }, (_, i) => `snapshot-${i}`),
      fixtureError: 'The fixture file is wrong. '.repeat(9),
    })
    const { data } = createMock().controls
    mock.data = { kind: 'projects', search: '', ...(await data.list('projects')) }
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

  describe('on a low terminal', () => {
    const size = { width: 60, height: 12 }
    const framesOf = (mock: MockSnapshot, open: string, scroll: string, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const { ui } = afterKeysAt(size, mock, open, ...Array<string>(i).fill(scroll))
        return frameOf(mock, ui, size.width, size.height).split('\n')
      })
    /** The rows of a page, from the frames of scrolling it line by line. */
    const rowsOf = ([first = [], ...others]: string[][]) => [
      ...first.slice(0, 9),
      ...others.map((frame) => frame[8] ?? ''),
    ]

    test('the help scrolls, and no line of it is cut', async () => {
      const mock = await mockSnapshot()
      const frames = framesOf(mock, '?', 'down', 15)
      const rows = rowsOf(frames)
      expect(rows.join('\n')).toMatch(/^p +select the persona that the cookie\n +session=active stands for\n/)
      for (const line of [/^d +delay responses$/m, /^c +stop the clock/m, /^q {2}Ctrl\+C +quit$/m]) {
        expect(rows.join('\n')).toMatch(line)
      }
      expect(rows.at(-1)).toBe(`The same on a page: ${mock.url}`)
      expect(frames[0]?.at(-1)).toMatch(/^↑↓ Space b scroll 1-9 of 23 {2}other keys back {2}q quit$/)
      // The last line is as far as it goes, and the way back is as long.
      expect(afterKeysAt(size, mock, '?', ...Array(30).fill('down'), 'up').screen).toEqual({
        type: 'help',
        first: 13,
      })
      expect(afterKeysAt(size, mock, '?', 'end', 'home').screen).toEqual({ type: 'help', first: 0 })
      expect(afterKeysAt(size, mock, '?', 'down', 'x').screen).toEqual({ type: 'log' })
    })

    test('the details of a request scroll through the whole curl command', async () => {
      const wide = Array.from({ length: 180 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')
      const curl = `curl -i '${'x'.repeat(70)}' --data-raw '${wide}\n  indented'`
      const mock = await mockSnapshot({ log: [logEntry(2, { curl }), logEntry(1)] })
      const open = afterKeysAt(size, mock, 'enter')
      expect(frameOf(mock, open.ui, 60, 12).split('\n').at(-1)).toMatch(
        /^Space scroll 1-9 of \d+ {2}↑↓ newer/,
      )
      const pages = [[], [' '], [' ', ' ']].map((keys) =>
        frameOf(mock, afterKeysAt(size, mock, 'enter', ...keys).ui, 60, 12)
          .split('\n')
          .slice(0, 9),
      )
      // Each page repeats the last row of the one before, except for the last one, which ends with the text.
      expect(pages[1]?.[0]).toBe(pages[0]?.[8])
      const rows = new Set(pages.flat())
      expect([...rows].join('').replace(/\s/g, '')).toContain(curl.replace(/\s/g, ''))
      expect([...rows]).toContain("  indented'")
      expect([...rows].at(-1)).toBe('To copy it: npx dashboard-api log --curl 2')
      expect(afterKeysAt(size, mock, 'enter', ' ', 'b').screen).toMatchObject({ id: 2, first: 0 })
      // Another request is shown from its beginning.
      expect(afterKeysAt(size, mock, 'enter', 'pageDown', 'down').screen).toEqual({ type: 'details', id: 1 })
    })

    test('a page that was scrolled shows its end when the terminal grows', async () => {
      const mock = await mockSnapshot()
      const { ui } = afterKeysAt(size, mock, '?', 'end')
      expect(frameOf(mock, ui, 60, 40)).toMatch(/^p +select the persona/m)
    })
  })

  test('the footer has a hint for every key that fits', async () => {
    const mock = await mockSnapshot({ log: logEntries(1) })
    const hints = (width: number, ...keys: string[]) =>
      frameOf(mock, afterKeys(mock, ...keys).ui, width, 24)
        .split('\n')
        .at(-1)
    expect(hints(195)).toBe(
      'q quit  ? help  p persona  f force  d delay  c clock  r reset  s save  l load  e data  o page  x chaos  ↑↓ select  Enter details  u y undo, redo  w rewind  a send again  PgUp PgDn Home End move',
    )
    expect(hints(61)).toBe('q quit  ? help  p persona  f force  d delay  c clock  r reset')
    // A short hint takes the room that a longer one before it has left.
    expect(hints(60)).toBe('q quit  ? help  p persona  f force  d delay  c clock  s save')
    expect(hints(80, 'c')).toBe('Enter set  Esc back  Tab let it run  Ctrl+U clear  Ctrl+C quit')
    expect(hints(80, 'p', 'x')).toBe(
      '↑↓ move  Enter select  letters filter  Esc Ctrl+U clear filter  Ctrl+C quit',
    )
  })

  test('the data is a table that scrolls to the selected field, and stays in sight while it is edited', async () => {
    const mock = await mockSnapshot()
    const { data } = createMock().controls
    mock.data = { kind: 'sessions', search: '', ...(await data.list('sessions')) }
    const right = (count: number) => Array<string>(count).fill('right')
    const toSessions = ['e', 'tab', 'tab', 'tab', 'tab']
    const lines = (...keys: string[]) =>
      frameOf(mock, afterKeys(mock, ...toSessions, ...keys).ui, 80, 24).split('\n')
    expect(lines()[5]).toBe(' teams  users  sessions  projects  waitlist   7')
    expect(lines()[6]).toMatch(/^id +role +orgCode +permissions +userId +note$/)
    expect(lines()[7]).toMatch(/^acme-owner +owner +org_acme +create:p\S+… +user-ada /)
    expect(lines(...right(6))[6]).toMatch(/ note +expiresAt/)
    expect(lines(...right(20))[6]).toMatch(/ sid$/)
    expect(lines('down', 'right', 'enter').slice(5, 14)).toEqual([
      'role of acme-member',
      '',
      '› member',
      '',
      expect.stringMatching(/^Empty removes/),
      '',
      expect.stringContaining(' sessions '),
      expect.stringMatching(/^id +role/),
      expect.stringMatching(/^acme-owner/),
    ])
    mock.data = { kind: 'sessions', search: 'zzz', total: 7, matched: 0, records: [] }
    expect(lines('/zzz')[5]).toMatch(/0 of 7 {2}\/zzz$/)
    expect(lines('/zzz')[6]).toBe('No record has this text. Esc clears the search.')
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

  test('the header shows chaos on a narrow terminal, whatever else is forced', async () => {
    const mock = await mockSnapshot({
      scenarios: [
        { target: 'listProjects', response: { status: 200, body: {}, unchecked: true } },
        { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 2 },
      ],
      chaos: {
        all: {
          errorRate: 0.3,
          delay: '20-200',
          seed: 7,
          outcomes: ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
        },
        operations: {},
      },
    })
    expect(frameOf(mock, initialUi, 80)).toContain(
      'Delay    none   Clock  real time   chaos: 30 % fail, 20-200 ms, seed 7',
    )
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
