import { Box } from 'ink'
import stringWidth from 'string-width'
import { cutOrPad } from '../output/layout-table.js'
import { printable } from '../output/printable.js'
import type { KeyPress } from './key-press.js'
import { type Size, showLive } from './live.js'
import { Text } from './text.js'

/** A line of a list; `isCurrent` marks the item that applies now. */
export type Item = { label: string; hint: string; isCurrent?: boolean }

const steps: { [key: string]: number } = {
  ...{ up: -1, down: 1, pageUp: -10, pageDown: 10 },
  ...{ home: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY },
}

/** The index after a key; undefined if the key does not move the selection. */
export function moveIndex(index: number, { key }: KeyPress, length: number): number | undefined {
  const step = steps[key ?? '']
  return step === undefined ? undefined : Math.max(0, Math.min(length - 1, index + step))
}

/**
 * The part of a list that fits a height, with the selected index in the middle where possible.
 * @returns start and end, the end excluded
 */
export function visibleRange(length: number, selected: number, height: number): [start: number, end: number] {
  const rows = Math.max(1, height)
  const start = Math.max(0, Math.min(selected - Math.floor(rows / 2), length - rows))
  return [start, Math.min(length, start + rows)]
}

/**
 * A list to choose from. Arrows move the selection, letters filter (matching labels come first), Escape clears the filter.
 * @param itemsFor returns the items for the entered text
 * @param options.filters whether only items with the entered text are shown
 * @param options.hintBelow show the hint of the selected item alone, in a line below the list: labels get the whole width
 */
export function createList<Each extends Item>(
  itemsFor: (text: string) => Each[],
  { filters = true, hintBelow = false } = {},
) {
  let filter = ''
  const current = itemsFor('').findIndex(({ isCurrent }) => isCurrent)
  let index = Math.max(0, current)
  const matches = (): Each[] => {
    if (!filters) return itemsFor(filter)
    const words = filter.toLowerCase().split(' ')
    const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
    const found = itemsFor(filter).filter(({ label, hint }) => has(`${label} ${hint}`))
    return found.sort((a, b) => Number(has(b.label)) - Number(has(a.label)))
  }
  const setFilter = (text: string) => {
    filter = text
    index = 0
    return true
  }
  return {
    /** @returns whether the list used the key */
    press(press: KeyPress): boolean {
      if (press.key === undefined) return setFilter(filter + press.text)
      if (press.key === 'backspace') return setFilter([...filter].slice(0, -1).join(''))
      if (press.key === 'clear' || (press.key === 'escape' && filter)) return setFilter('')
      const moved = moveIndex(index, press, matches().length)
      index = moved ?? index
      return moved !== undefined
    },
    selected: (): Each | undefined => matches()[index],
    view(title: string, { width, height }: Size) {
      const shown = matches()
      const selected = Math.min(index, shown.length - 1)
      const [start, end] = visibleRange(shown.length, selected, height - (hintBelow ? 4 : 2))
      const longest = Math.max(0, ...shown.map(({ label }) => stringWidth(printable(label))))
      const labelWidth = Math.min(longest, hintBelow ? width - 4 : Math.floor(width / 2))
      return (
        <Box flexDirection="column">
          <Text wrap="truncate">
            <Text bold>{title}</Text>
            {filter && '  '}
            <Text color="cyan">{filter}</Text>
          </Text>
          <Text dimColor>{shown.length > end - start ? `${selected + 1} of ${shown.length}` : ' '}</Text>
          {shown.length === 0 && <Text dimColor>No match. Esc clears the filter.</Text>}
          {shown.slice(start, end).map(({ label, hint, isCurrent }, i) => (
            <Text key={label} wrap="truncate" inverse={start + i === selected}>
              <Text color="green">{isCurrent ? ' ● ' : '   '}</Text>
              {`${cutOrPad(printable(label), labelWidth)} `}
              {!hintBelow && <Text dimColor={start + i !== selected}>{` ${printable(hint)} `}</Text>}
            </Text>
          ))}
          {hintBelow && shown[selected] && (
            <Box marginTop={1}>
              <Text dimColor wrap="truncate">{`   ${shown[selected].hint}`}</Text>
            </Box>
          )}
        </Box>
      )
    },
  }
}

/**
 * Shows a list to choose from. The terminal must satisfy `canShowLive`.
 * @returns the label of the choice; undefined if the user left
 */
export async function pickFromList(title: string, items: Item[]): Promise<string | undefined> {
  const list = createList(() => [...items])
  let end = (_label?: string) => {}
  const choice = new Promise<string | undefined>((resolve) => {
    end = resolve
  })
  const live = showLive({
    view: (size) => list.view(title, size),
    press(press) {
      if (list.press(press)) return
      const item = list.selected()
      if (press.key === 'enter' && item) end(item.label)
      else if (press.key === 'escape' || press.key === 'interrupt') end()
    },
  })
  try {
    return await Promise.race([choice, live.ended.then(() => undefined)])
  } finally {
    await live.stop()
  }
}
