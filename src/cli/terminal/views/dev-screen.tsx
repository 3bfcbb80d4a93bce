import { Box } from 'ink'
import { choicesOf } from '../dev/choices.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { type PageRow, pageRows } from '../dev/pages.js'
import type { Screen } from '../dev/screen-types.js'
import { filterChoices } from '../list-state.js'
import type { Size } from '../live.js'
import { DevHeader } from './dev-header.js'
import { DevLog } from './dev-log.js'
import { Picker } from './picker.js'
import { Text } from './text.js'

export type Notice = { type: 'success' | 'error'; text: string }
export type DevScreenProps = { mock: MockSnapshot; screen: Screen; notice?: Notice } & Size

const footerHeight = 3
/** On a lower terminal only the log shows the header; the other screens need its lines. */
const minHeightForHeader = 20

/** The height of the part between header and footer, in lines; without a header if it is `height - footerHeight`. */
export function bodyHeight(screen: Screen, { fixtureError }: MockSnapshot, height: number): number {
  const hasHeader = screen.type === 'log' || height >= minHeightForHeader
  return Math.max(1, height - footerHeight - (hasHeader ? (fixtureError ? 6 : 5) : 0))
}

/** The screen of `dev`, exactly as high as the terminal. */
export function DevScreen({ mock, screen, notice, width, height }: DevScreenProps) {
  const body = bodyHeight(screen, mock, height)
  const rows = screen.type === 'page' ? pageRows(screen, mock, width) : []
  const position = rows.length > body ? ` ${first(screen, rows, body) + 1} of ${rows.length}` : undefined
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {body < height - footerHeight && <DevHeader mock={mock} width={width} />}
      <Box flexDirection="column" height={body} flexShrink={0} overflow="hidden">
        <Box flexDirection="column" flexShrink={0}>
          <Body {...{ mock, screen, rows, width, height: body }} />
        </Box>
      </Box>
      <Text dimColor>{'─'.repeat(width)}</Text>
      <Text wrap="truncate" color={notice?.type === 'error' ? 'red' : 'green'}>
        {notice?.text ?? ' '}
      </Text>
      <Text wrap="truncate">
        {fitHints(hintsOf(screen, position), width).map(([key, label], i) => (
          <Text key={key}>
            {i > 0 && '  '}
            <Text bold>{key}</Text> <Text dimColor>{label}</Text>
          </Text>
        ))}
      </Text>
    </Box>
  )
}

/** After a resize a page may be shorter than it was. */
const first = (screen: Screen, rows: PageRow[], height: number): number =>
  screen.type === 'page' ? Math.max(0, Math.min(screen.first, rows.length - height)) : 0

function Body({ mock, screen, rows, ...size }: Omit<DevScreenProps, 'notice'> & { rows: PageRow[] }) {
  if (screen.type === 'log') return <DevLog mock={mock} selected={screen.selected} {...size} />
  if (screen.type === 'page') {
    const start = first(screen, rows, size.height)
    return rows.slice(start, start + size.height).map(({ text, style }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and no state
      <Text key={i} wrap="truncate" {...(style === 'dim' ? { dimColor: true } : { color: style })}>
        {text || ' '}
      </Text>
    ))
  }
  if (screen.type === 'prompt') return <Prompt {...screen} />
  const { list, filter, index } = screen
  const choices = filterChoices(choicesOf(list, mock), filter)
  const emptyText = filter ? 'No match. Esc clears the filter.' : 'The list is empty.'
  return <Picker {...{ title: titleOf(screen), choices, filter, index, emptyText, ...size }} />
}

function titleOf({ list }: Extract<Screen, { type: 'list' }>): string {
  if (list.type === 'outcome') return `Outcome of ${list.target}, ${list.once ? 'once' : 'until cleared'}`
  return { persona: 'Persona', target: 'What to force', delay: 'What to delay', reset: 'Reset the mock?' }[
    list.type
  ]
}

const Prompt = ({ target, text, error }: Extract<Screen, { type: 'prompt' }>) => (
  <Box flexDirection="column" rowGap={1}>
    <Text bold>{`Delay of ${target ?? 'everything'} in milliseconds`}</Text>
    <Text wrap="truncate-start">
      <Text color="cyan">{'› '}</Text>
      {text}
      <Text inverse> </Text>
    </Text>
    {error && <Text color="red">{error}</Text>}
    <Text dimColor>A number (300) or a range (200-800). Empty removes the delay.</Text>
  </Box>
)

/** The keys of a screen with their functions, the most important first. */
function hintsOf(screen: Screen, position?: string): [key: string, label: string][] {
  const scroll: [string, string][] = position ? [['Space b', `scroll${position}`]] : []
  switch (screen.type) {
    case 'log':
      return Object.entries({
        ...{ q: 'quit', '?': 'help', p: 'persona', f: 'force', d: 'delay', 'u y': 'undo, redo', r: 'reset' },
        ...{ w: 'waitlist', o: 'page', '↑↓': 'select', Enter: 'details', 'PgUp PgDn Home End': 'move' },
      })
    case 'page':
      if (screen.page !== 'details') return [...scroll, ['Esc', 'back'], ['q', 'quit']]
      return [
        ...scroll,
        ['↑↓', 'newer, older'],
        ['Esc', 'back'],
        ['q', 'quit'],
        ['Home End', 'newest, oldest'],
      ]
    case 'list': {
      const once: [string, string][] =
        screen.list.type === 'outcome' ? [['Tab', screen.list.once ? 'until cleared' : 'once']] : []
      return [
        ['↑↓', 'move'],
        ['Enter', 'select'],
        ...once,
        ['letters', 'filter'],
        ['Esc', 'back'],
        ['Ctrl+C', 'quit'],
      ]
    }
    case 'prompt':
      return [
        ['Enter', 'set'],
        ['Esc', 'back'],
        ['Ctrl+U', 'clear'],
        ['Ctrl+C', 'quit'],
      ]
  }
}

/** As many as fit on one line. */
function fitHints(hints: [key: string, label: string][], width: number): [key: string, label: string][] {
  let room = width + 2
  return hints.filter(([key, label]) => {
    const needed = key.length + label.length + 3
    if (needed > room) return false
    room -= needed
    return true
  })
}
