import { render } from 'ink-testing-library'
import { describe, expect, test } from 'vitest'
import { columnsOf } from '../../../src/cli/output/columns.js'
import { fitColumns } from '../../../src/cli/output/fit-columns.js'
import { Table } from '../../../src/cli/output/table.js'
import { visibleRange } from '../../../src/cli/terminal/list.js'

type Row = [id: string, email: string, note: string]
const columns = {
  Id: ([id]: Row) => id,
  'Email*': ([, email]: Row) => email,
  'Note*': ([, , note]: Row) => note,
}
const rows: Row[] = [
  ['acme-owner', 'ada@acme.example', 'May do everything in the team of Acme.'],
  ['no-organization', 'nora@example.com', ''],
]
const linesOf = (width: number) =>
  render(<Table columns={columns} rows={rows} emptyText="Nobody." width={width} />)
    .lastFrame()
    ?.split('\n')
    .map((line) => line.trimEnd())

describe('a table', () => {
  test('is as wide as its content if there is room', () => {
    expect(linesOf(100)).toEqual([
      'Id               Email             Note',
      'acme-owner       ada@acme.example  May do everything in the team of Acme.',
      'no-organization  nora@example.com',
    ])
  })

  test('narrows the columns that shrink', () => {
    expect(linesOf(50)).toEqual([
      'Id               Email            Note',
      'acme-owner       ada@acme.examp…  May do everythi…',
      'no-organization  nora@example.c…',
    ])
  })

  test('leaves out the last column that shrinks if columns would be too narrow', () => {
    expect(linesOf(30)).toEqual([
      'Id               Email',
      'acme-owner       ada@acme.exa…',
      'no-organization  nora@example…',
    ])
  })

  test('cuts the other columns last', () => {
    expect(linesOf(10)).toEqual(['Id', 'acme-owner', 'no-organi…'])
  })

  test('has room for letters that take two columns', () => {
    const names: Row[] = [['日本語のプロジェクト', '全角（ＡＢ）', '👍 한국어ー']]
    const frame = render(<Table columns={columns} rows={names} width={80} />).lastFrame()
    for (const text of names.flat()) expect(frame).toContain(text)
  })

  test('shows a text if it is empty', () => {
    const { lastFrame } = render(<Table columns={columns} rows={[]} emptyText="Nobody." width={80} />)
    expect(lastFrame()).toBe('Nobody.')
  })

  test('is never wider than the terminal', () => {
    for (let width = 1; width <= 90; width++) {
      const shown = fitColumns(columnsOf(columns), rows, width).filter((each) => each > 0)
      expect(shown.reduce((sum, each) => sum + each, 2 * (shown.length - 1))).toBeLessThanOrEqual(width)
    }
  })
})

test('the visible range contains the selected line, in the middle if possible', () => {
  expect(visibleRange(100, 50, 10)).toEqual([45, 55])
  expect(visibleRange(100, -1, 10)).toEqual([0, 10])
  expect(visibleRange(100, 99, 10)).toEqual([90, 100])
  expect(visibleRange(3, 2, 10)).toEqual([0, 3])
  expect(visibleRange(3, 2, 0)).toEqual([2, 3])
})
