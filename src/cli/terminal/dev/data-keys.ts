import { keyOf } from '../../../mock/core/state-changes.js'
import type { KeyPress } from '../key-press.js'
import { moveIndex } from '../list-state.js'
import type { Action } from './choices.js'
import { columnsOf, fieldText, nextKind } from './data-table.js'
import type { MockSnapshot } from './mock-snapshot.js'
import { type DataScreen, dataScreen } from './screens.js'

/** Handles a key on the table of the data. */
export function onData(screen: DataScreen, press: KeyPress, { data }: MockSnapshot): Action {
  if (screen.isSearching) return onSearch(screen, press)
  const columns = columnsOf(screen.kind)
  // A read of other records may be under way.
  const records = data?.kind === screen.kind ? data.records : []
  const index = Math.min(screen.index, Math.max(0, records.length - 1))
  const record = records[index]
  const field = columns[screen.column] ?? ''

  const moved = moveIndex(index, press, records.length)
  if (moved !== undefined) return { screen: { ...screen, index: Math.max(0, moved) } }
  if (press.key === 'left' || press.key === 'right') {
    const column = screen.column + (press.key === 'left' ? -1 : 1)
    return { screen: { ...screen, column: Math.max(0, Math.min(columns.length - 1, column)) } }
  }
  if (press.key === 'tab') return { screen: dataScreen(nextKind(screen.kind)) }
  if (press.key === 'clear' || (press.key === 'escape' && screen.search)) {
    return { screen: { ...screen, search: '', index: 0 } }
  }
  if (press.key === 'escape') return { screen: { type: 'log' } }
  if (press.key === 'enter' && record) {
    const prompt = { type: 'field', from: screen, key: keyOf(record), field } as const
    return { screen: { type: 'prompt', prompt, text: fieldText(record, field) } }
  }
  // More may have been typed before it was read.
  if (press.text?.startsWith('/')) {
    return { screen: { ...screen, isSearching: true, search: press.text.slice(1), index: 0 } }
  }
  switch (press.text) {
    case 's':
      return { screen: { ...screen, sort: nextSort(screen.sort, field), index: 0 } }
    case '+':
      return { screen: { type: 'prompt', prompt: { type: 'record', from: screen }, text: '' } }
    case '-':
    case 'D': {
      if (!record) return {}
      const dependants = press.text === 'D'
      return { effect: { type: 'removeRecord', kind: screen.kind, key: keyOf(record), dependants } }
    }
    case 'u':
      return { effect: { type: 'undo' } }
    case 'y':
      return { effect: { type: 'redo' } }
    case '?':
      return { screen: { type: 'help' } }
    case 'q':
      return { effect: { type: 'quit' } }
  }
  return {}
}

function onSearch(screen: DataScreen, press: KeyPress): Action {
  const search = (text: string) => ({ screen: { ...screen, search: text, index: 0 } })
  if (press.key === undefined) return search(screen.search + press.text)
  if (press.key === 'backspace') return search([...screen.search].slice(0, -1).join(''))
  if (press.key === 'clear') return search('')
  if (press.key === 'escape') return { screen: { ...screen, search: '', index: 0, isSearching: false } }
  return { screen: { ...screen, isSearching: false } }
}

/** Ascending, then descending, then as stored. */
const nextSort = (sort: string | undefined, field: string): string | undefined =>
  sort === field ? `-${field}` : sort === `-${field}` ? undefined : field
