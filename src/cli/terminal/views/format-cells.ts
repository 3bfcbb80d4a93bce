import { columnGap } from '../../output/fit-columns.js'

/** Cuts or pads each cell to its width and adds the gap; empty for a column that is left out. */
export const formatCells = (cells: string[], widths: number[]): string[] =>
  cells.map((cell, i) => {
    const width = widths[i] ?? 0
    if (width === 0) return ''
    const gap = ' '.repeat(i > 0 ? columnGap : 0)
    const letters = [...cell]
    const cut = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : cell
    return gap + cut + ' '.repeat(Math.max(0, width - letters.length))
  })
