import type { Fitted } from './fit-columns.js'
import { printable } from './printable.js'

/** What a cell means at a glance: fine, wrong or over, of little weight. */
export type Tone = 'good' | 'bad' | 'faint'

/** One column of a list: how it is headed, and what a row shows in it. */
export type Column<Row> = Fitted & {
  value(row: Row): string | undefined
  tone?(row: Row): Tone | undefined
}

/** The cells of a list, in plain text. */
export const cellsOf = <Row>(columns: Column<Row>[], rows: Row[]): string[][] =>
  rows.map((row) => columns.map(({ value }) => printable(value(row) ?? '')))

/** What the cells of a list mean, for a terminal with colours. */
export const tonesOf = <Row>(columns: Column<Row>[], rows: Row[]): (Tone | undefined)[][] =>
  rows.map((row) => columns.map(({ tone }) => tone?.(row)))

/** What a pipe gets: a header and one line a row, tabs between. */
export const tabSeparated = <Row>(columns: Column<Row>[], rows: Row[]): string[] =>
  [columns.map(({ title }) => title), ...cellsOf(columns, rows)].map((cells) => cells.join('\t'))
