import type { LogEntry } from '../../../mock/log/log-entry.js'
import { suggest } from '../../../mock/surfaces/box/command-box.js'
import { type FoundRecord, foundRecord } from '../../../mock/surfaces/box/found-record.js'
import type { BoxContext, Suggestion } from '../../../mock/surfaces/box/suggestion.js'
import { stateKinds } from '../../../store/state-file.js'
import { createList } from '../list.js'
import type { DevScreen, Workbench } from './dev-screen.js'
import { detailsScreen } from './text-screens.js'

/** The command box of the page: it suggests commands for the entered words. */
export function commandBox(bench: Workbench, selected?: LogEntry): DevScreen {
  let records: FoundRecord[] = []
  let history: BoxContext['history'] = {}
  let snapshots: readonly string[] = []
  const load = async () => {
    history = await bench.controls.history()
    snapshots = await bench.controls.snapshots.list()
    const found = stateKinds.map(async (kind) => {
      const { records } = await bench.controls.data.list(kind, { limit: 1000 })
      return records.map((record) => foundRecord(kind, record))
    })
    records = (await Promise.all(found)).flat()
    bench.redraw()
  }
  load().catch(({ message }: Error) => bench.notify('error', message))
  const context = () => {
    const { targets, sessions, log, scenarios, named } = bench.mock()
    return {
      ...{ targets, scenarios, records, history, selected, snapshots },
      personas: sessions.sessions,
      you: sessions.active,
      entries: log.toReversed(),
      named: Object.fromEntries(named),
    }
  }
  /** Handlers and records are shown by the page alone, which also copies commands and gives files to the browser. */
  const forTerminal = (suggestion: Suggestion): Suggestion[] => {
    const { action, command, hint = '' } = suggestion
    if (!action || 'control' in action) return [suggestion]
    if ('show' in action) return action.show === 'request' ? [suggestion] : []
    const text = command === undefined ? `${suggestion.text}: ${hint}` : `On the command line: ${command}`
    return [{ group: suggestion.group, text, hint: command === undefined ? '' : hint }]
  }
  const list = createList(
    (text) =>
      suggest(text, context())
        .flatMap(forTerminal)
        .map((suggestion) => ({
          label: suggestion.text,
          hint: suggestion.command ?? suggestion.hint ?? '',
          suggestion,
        })),
    { filters: false, hintBelow: true },
  )
  return {
    view: (size) => list.view('Command', size),
    hints: () => ({ words: '409 create once', '↑↓': 'move', Enter: 'do it', Esc: 'back', 'Ctrl+C': 'quit' }),
    press(press) {
      if (list.press(press)) return
      const chosen = list.selected()?.suggestion
      if (press.key === 'escape') bench.openLog()
      else if (press.key === 'enter' && chosen?.action) {
        if ('show' in chosen.action && chosen.action.show === 'request')
          bench.open(detailsScreen(bench, chosen.action.id, () => {}))
        else if ('control' in chosen.action) {
          const { control, input } = chosen.action
          bench.run(() => bench.perform(control, input))
        }
      }
    },
  }
}
