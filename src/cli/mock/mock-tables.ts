import { forcedText } from '../../mock/core/forced-text.js'
import type { ControlName, ControlOutput } from '../../mock/http/control-endpoints.js'
import { showTable } from '../output/output.js'

/**
 * Prints the result of a control as a table.
 * @param titles separated by commas; a column with a star is narrowed where the terminal is narrow
 * @param rowsOf the cells of each row
 */
const table =
  <Name extends ControlName>(
    titles: string,
    emptyText: string,
    rowsOf: (data: ControlOutput<Name>) => (string | undefined)[][],
  ) =>
  (data: ControlOutput<Name>, { json }: { json?: boolean }): Promise<void> => {
    const columns = titles.split(', ').map((title, i) => ({
      title: title.replace('*', ''),
      value: (row: (string | undefined)[]) => row[i],
      shrinks: title.endsWith('*'),
    }))
    return showTable({ data, columns, rows: rowsOf(data), emptyText }, json)
  }

export const personas = table<'sessions'>(
  'Active, Persona, Email*, Organisation, Role, Note*',
  'The mock has no persona.',
  ({ active, sessions }) =>
    sessions.map(({ id, email, orgCode, role, note }) => {
      return [id === active ? '*' : '', id, email, orgCode, role, note]
    }),
)
export const scenarios = table<'scenarios'>(
  'Operation, Outcome, Times, Session',
  'No scenario is active.',
  (active) => active.map((each) => [each.target, forcedText(each), each.times?.toString(), each.session]),
)
export const possible = table<'possibleScenarios'>(
  'Operation, Outcome, Note*',
  'No scenario is possible.',
  ({ operations, named }) => [
    ...Object.entries(operations).flatMap(([name, outcomes]) => outcomes.map((each) => [name, each])),
    ...Object.entries(named).map(([name, description]) => [name, '', description]),
  ],
)
export const delays = table<'delay'>('Operation, Milliseconds', '', ({ all, operations }) => [
  ['all', all],
  ...Object.entries(operations),
])
export const chaosProfiles = table<'chaos'>(
  'Operation, Error rate, Milliseconds, Seed, Outcomes*',
  'There is no chaos.',
  ({ all, operations }) =>
    Object.entries({ ...(all && { all }), ...operations }).map(([name, profile]) => {
      const { errorRate, delay, seed, outcomes } = profile
      return [name, String(errorRate), delay, String(seed), outcomes.join(' ')]
    }),
)
export const targets = table<'targets'>('Target, Kind, Requests, Outcomes*', '', (all) =>
  all.map(({ target, kind, hits, outcomes }) => [target, kind, String(hits), outcomes.join(' ')]),
)
export const snapshots = table<'snapshots'>('Snapshot', 'There is no snapshot.', (names) =>
  names.map((name) => [name]),
)
export const spaces = table<'spaces'>('Space', 'There is no space beside the common one.', (names) =>
  names.map((name) => [name]),
)

/** The records of a kind, with a column for each field. */
export const records = (page: ControlOutput<'data'>, options: { json?: boolean }): Promise<void> => {
  const names = [...new Set(page.records.flatMap((record) => Object.keys(record)))]
  const emptyText = page.total === 0 ? 'There is no record.' : 'No record has the text.'
  const print = table<'data'>(names.map((name) => `${name}*`).join(', '), emptyText, ({ records }) =>
    records.map((record) => names.map((name) => String(Reflect.get(record, name) ?? ''))),
  )
  return print(page, options)
}
