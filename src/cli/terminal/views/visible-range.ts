/**
 * The part of a list that fits a height, with the selected index in the middle where possible.
 * @returns start and end, the end excluded
 */
export function visibleRange(length: number, selected: number, height: number): [start: number, end: number] {
  const rows = Math.max(1, height)
  const start = Math.max(0, Math.min(selected - Math.floor(rows / 2), length - rows))
  return [start, Math.min(length, start + rows)]
}
