import type { LogEntry } from '../../../mock/log/log-entry.js'
import { signedOut } from '../../../mock/state/limit-words.js'
import type { Columns } from '../../output/columns.js'
import {
  isForced,
  requestText,
  responseText,
  statusColour,
  timeText,
  whyText,
} from '../../output/log-cells.js'
import { moveIndex, visibleRange } from '../list.js'
import { openPage } from '../open-page.js'
import { Table } from '../table.js'
import { Text } from '../text.js'
import { commandBox } from './command-screen.js'
import type { DevScreen, Workbench } from './dev-screen.js'
import { delayList, outcomeList, personaList, resetList } from './lists.js'
import { firstSteps } from './mock-snapshot.js'
import { detailsScreen, textScreen, waitlistScreen } from './text-screens.js'

const columns: Columns<LogEntry> = {
  Time: { value: timeText, style: 'dim' },
  Request: { value: requestText, minWidth: 18 },
  Response: { value: responseText, style: ({ status }) => statusColour(status), minWidth: 28 },
  Persona: { value: ({ session }) => session ?? signedOut, minWidth: 10 },
  'Decided by': { value: whyText, style: (entry) => (isForced(entry) ? 'yellow' : 'dim'), minWidth: 14 },
  ms: { value: ({ ms }) => Math.round(ms), style: 'dim', minWidth: 8 },
}

/** A key, its hint below the screen, its line of the help, and its function. */
type Key = [key: string, hint: string, help: string, press?: () => unknown]

/** The latest requests, the newest first. Its keys open the other screens. */
export function logScreen(bench: Workbench): DevScreen {
  let selected: number | undefined
  const select = (id?: number) => {
    selected = id
  }
  const indexOfSelected = () => bench.mock().log.findIndex(({ id }) => id === selected)
  const entry = () => bench.mock().log[indexOfSelected()]
  const target = () => entry()?.target
  const keys: Key[] = [
    ['Enter', 'details', 'show the details of a request'],
    ['↑↓', 'select', 'select a request; PgUp, PgDn, Home and End do, too'],
    [
      'f',
      'force',
      'force an outcome, of the selected request if there is one, or clear forced outcomes',
      () => bench.open(outcomeList(bench, target())),
    ],
    ['p', 'persona', 'select the persona of session=active', () => bench.open(personaList(bench))],
    [
      '/',
      'command',
      'the box of the page: 409 create once, be viewer, before 17, delay 300 list, empty',
      () => bench.open(commandBox(bench, entry())),
    ],
    ['o', 'page', 'open the page in the browser', () => bench.run(() => openPage(bench.mock().url))],
    ['?', 'help', 'show this help', () => bench.open(textScreen(bench, help))],
    ['q', 'quit', 'quit, as Ctrl+C does on every screen', bench.quit],
    ['u', 'undo', 'undo the last change of the mock', () => bench.run(() => bench.perform('undo'))],
    ['y', 'redo', 'make the undone change again', () => bench.run(() => bench.perform('redo'))],
    [
      'd',
      'delay',
      'delay all responses, or those to the selected request',
      () => bench.open(delayList(bench, target())),
    ],
    ['r', 'reset', 'reset the mock', () => bench.open(resetList(bench))],
    ['w', 'waitlist', 'show the waitlist', () => bench.open(waitlistScreen(bench))],
  ]
  const help = () => (
    <>
      <Text multiline>{keys.map(([key, , text]) => `${key.padEnd(7)}${text}`).join('\n')}</Text>
      <Text> </Text>
      <Text dimColor>{`Data, chaos, clock, snapshots, custom responses: ${bench.mock().url}`}</Text>
      <Text dimColor>All of it as commands: npx dashboard-api --help</Text>
    </>
  )

  return {
    hints: () => Object.fromEntries(keys),
    press(press) {
      const { log } = bench.mock()
      const index = indexOfSelected()
      const moved = moveIndex(index, press, log.length)
      const entry = log[moved ?? Math.max(0, index)]
      if (moved !== undefined) select(entry?.id)
      else if (press.key === 'escape') select()
      else if (press.key === 'enter' && entry) bench.open(detailsScreen(bench, entry.id, select))
      else keys.find(([key]) => key === press.text)?.[3]?.()
    },
    view({ width, height }) {
      const { log, url, sessions } = bench.mock()
      if (log.length === 0) {
        const lines = ['This is your back end until you have one.', ...firstSteps(url, sessions)]
        return <Text multiline>{lines.join('\n')}</Text>
      }
      const index = indexOfSelected()
      const [start, end] = visibleRange(log.length, index, height - 1)
      return Table({
        columns,
        rows: log.slice(start, end),
        // The widths of the columns stay the same while the selection moves.
        measured: log.slice(0, 200),
        selected: index < 0 ? undefined : index - start,
        width,
      })
    },
  }
}
