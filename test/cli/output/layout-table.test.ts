import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { joinCells, layoutTable } from '../../../src/cli/output/layout-table.js'
import { visibleRange } from '../../../src/cli/terminal/list.js'

type Row = [id: string, email: string, note: string]
const columns = {
  Id: ([id]: Row) => id,
  Email: { value: ([, email]: Row) => email, minWidth: 8 },
  Note: { value: ([, , note]: Row) => note, minWidth: 8 },
}
const rows: Row[] = [
  ['acme-owner', 'ada@acme.example', 'May do everything in the team of Acme.'],
  ['no-organization', 'nora@example.com', ''],
]
function linesOf(width: number, shown = rows): string[] {
  const { header, cellsOf } = layoutTable(columns, shown, width)
  return [header.trimEnd(), ...shown.map((row) => joinCells(cellsOf(row), (_, text) => text))]
}

describe('a table', () => {
  test('is as wide as its content if there is space', () => {
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

  test('omits the last shrinkable column if columns would be too narrow', () => {
    expect(linesOf(30)).toEqual([
      'Id               Email',
      'acme-owner       ada@acme.exa…',
      'no-organization  nora@example…',
    ])
  })

  test('cuts the other columns last', () => {
    expect(linesOf(10)).toEqual(['Id', 'acme-owner', 'no-organi…'])
  })

  test('measures letters that occupy two columns of the terminal, or none', () => {
    const names: Row[] = [['日本語のプロジェクト', '全角（ＡＢ）', '👩‍💻 한국어ー']]
    expect(linesOf(80, names)).toEqual([
      'Id                    Email         Note',
      '日本語のプロジェクト  全角（ＡＢ）  👩‍💻 한국어ー',
    ])
    expect(linesOf(32, names)[1]).toBe('日本語のプロジェクト  全角（Ａ…')
  })

  test('is never wider than the terminal', () => {
    for (let width = 1; width <= 90; width++) {
      for (const line of linesOf(width)) expect(stringWidth(line)).toBeLessThanOrEqual(width)
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
