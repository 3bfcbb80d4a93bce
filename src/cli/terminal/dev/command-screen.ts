import type { Project } from '../../../contract/schemas.js'
import type { LogEntry } from '../../../mock/log/log-entry.js'
import {
  type BoxContext,
  type FoundRecord,
  type Suggestion,
  suggest,
} from '../../../mock/surfaces/command-box.js'
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
    const projects = await bench.controls.data.list('projects', { limit: 1000 })
    records = (projects.records as Project[]).map((project) => ({
      kind: 'projects',
      key: project.id,
      name: project.name,
      detail: Reflect.get(project, 'teamId'),
    }))
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
  /** Suggestions that show handlers or records are for the page alone. */
  const isPossible = ({ action }: Suggestion) =>
    !action || 'control' in action || ('show' in action && action.show === 'request')
  const list = createList(
    (text) =>
      suggest(text, context())
        .filter(isPossible)
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
