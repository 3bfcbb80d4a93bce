import { type Key, Text } from 'ink'
import { render } from 'ink-testing-library'
import { describe, expect, test, vi } from 'vitest'
import { fitColumns } from '../../../src/cli/output/fit-columns.js'
import { toPresses } from '../../../src/cli/terminal/key-press.js'
import { changesOf } from '../../../src/cli/terminal/terminal-screen.js'
import { Table } from '../../../src/cli/terminal/views/table.js'
import { windowOf } from '../../../src/cli/terminal/views/window-of.js'
import { withKeys } from '../../../src/cli/terminal/views/with-keys.js'

const columns = [{ title: 'Id' }, { title: 'Email', yields: true }, { title: 'Note', yields: true }]
const cells = [
  ['acme-owner', 'ada@acme.example', 'May do everything in the team of Acme.'],
  ['no-organization', 'nora@example.com', ''],
]
const linesOf = (width: number) =>
  render(<Table columns={columns} cells={cells} nothing="Nobody." width={width} />)
    .lastFrame()
    ?.split('\n')
    .map((line) => line.trimEnd())

describe('a table', () => {
  test('is as wide as it needs where there is room', () => {
    expect(linesOf(100)).toEqual([
      'Id               Email             Note',
      'acme-owner       ada@acme.example  May do everything in the team of Acme.',
      'no-organization  nora@example.com',
    ])
  })

  test('narrows the columns that yield', () => {
    expect(linesOf(50)).toEqual([
      'Id               Email            Note',
      'acme-owner       ada@acme.examp…  May do everythi…',
      'no-organization  nora@example.c…',
    ])
  })

  test('leaves out the last one that yields where they would be too narrow', () => {
    expect(linesOf(30)).toEqual([
      'Id               Email',
      'acme-owner       ada@acme.exa…',
      'no-organization  nora@example…',
    ])
  })

  test('cuts the rest only then', () => {
    expect(linesOf(10)).toEqual(['Id', 'acme-owner', 'no-organi…'])
  })

  test('says in words that it is empty', () => {
    const { lastFrame } = render(<Table columns={columns} cells={[]} nothing="Nobody." width={80} />)
    expect(lastFrame()).toBe('Nobody.')
  })

  test('never takes more than the terminal has', () => {
    for (let width = 1; width <= 90; width++) {
      const shown = fitColumns(columns, cells, width).filter((each) => each > 0)
      expect(shown.reduce((sum, each) => sum + each, 2 * (shown.length - 1))).toBeLessThanOrEqual(width)
    }
  })
})

describe('what is drawn of a frame', () => {
  test('is the lines that differ, each in its place', () => {
    expect(changesOf(['a', 'b', 'c'], ['a', 'x'])).toBe('\x1b[2;1H\x1b[2Kx\x1b[0m\x1b[3;1H\x1b[2K\x1b[0m')
    expect(changesOf(['a'], ['a'])).toBe('')
  })

  test('has the chosen line in it, in the middle where there is room', () => {
    expect(windowOf(100, 50, 10)).toEqual([45, 55])
    expect(windowOf(100, -1, 10)).toEqual([0, 10])
    expect(windowOf(100, 99, 10)).toEqual([90, 100])
    expect(windowOf(3, 2, 10)).toEqual([0, 3])
    expect(windowOf(3, 2, 0)).toEqual([2, 3])
  })
})

describe('keys', () => {
  test('are told by their names, text as it is typed, several where they come at once', async () => {
    const presses: unknown[] = []
    const view = render(withKeys(<Text>shown</Text>, (press) => presses.push(press)))
    await vi.waitFor(() => expect(view.stdin.listenerCount('readable')).toBeGreaterThan(0))
    for (const typed of ['q', '\x1b[A', '\x1b[B', '\r', '\t', '\x03', '\x7f', 'ab\x7f\r'])
      view.stdin.write(typed)
    expect(presses).toEqual([
      { text: 'q' },
      { key: 'up' },
      { key: 'down' },
      { key: 'enter' },
      { key: 'tab' },
      { key: 'interrupt' },
      { key: 'backspace' },
      { text: 'ab' },
      { key: 'backspace' },
      { key: 'enter' },
    ])
    view.stdin.write('\x1b')
    await vi.waitFor(() => expect(presses.at(-1)).toEqual({ key: 'escape' }))
    expect(view.lastFrame()).toBe('shown')
  })

  test('that mean nothing here are not taken for text', () => {
    const none = {} as Key
    expect(toPresses('a', { ...none, ctrl: true })).toEqual([])
    expect(toPresses('a', { ...none, meta: true })).toEqual([])
    expect(toPresses('\x01', none)).toEqual([])
  })
})
