import { forcedText } from '../../mock/core/forced-text.js'
import type { ControlName, ControlOutput } from '../../mock/http/control-endpoints.js'
import { columnsOf } from '../output/columns.js'
import type { Result } from '../output/show.js'

type Cells = (string | undefined)[]

/** Makes a table of a result. @param titles those of `columnsOf` */
const table =
  <Data>(titles: string, emptyText: string, rowsOf: (data: Data) => Cells[]) =>
  (data: Data): Result => {
    const columns = columnsOf<Cells>(titles, (row) => row)
    return { data, table: { columns, rows: rowsOf(data), emptyText } }
  }

/** Fields as cells, a list as words. */
const cells = (record: object, ...names: string[]) =>
  names.map((name) => [Reflect.get(record, name) ?? ''].flat().join(' '))

export const scenarios = table(
  'Operation, Outcome, Times, Session',
  'No scenario is active.',
  (data: ControlOutput<'scenarios'>) =>
    data.map((each) => [each.target, forcedText(each), ...cells(each, 'times', 'session')]),
)

export const possibleScenarios = table(
  'Operation, Outcome, Note*',
  'No scenario is possible.',
  ({ operations, named }: ControlOutput<'possibleScenarios'>) => [
    ...Object.entries(operations).flatMap(([name, all]) => all.map((each) => [name, each])),
    ...Object.entries(named).map(([name, description]) => [name, '', description]),
  ],
)

export const personas = table(
  'Active, Persona, Email*, Organisation, Role, Note*',
  'The mock has no persona.',
  ({ active, sessions }: ControlOutput<'sessions'>) =>
    sessions.map((each) => [
      each.id === active ? '*' : '',
      ...cells(each, 'id', 'email', 'orgCode', 'role', 'note'),
    ]),
)

const delay = table('Operation, Milliseconds', '', ({ all, operations }: ControlOutput<'delay'>) => [
  ['all', all],
  ...Object.entries(operations),
])

const chaos = table(
  'Operation, Error rate, Milliseconds, Seed, Outcomes*',
  'There is no chaos.',
  ({ all, operations }: ControlOutput<'chaos'>) =>
    Object.entries({ ...(all && { all }), ...operations }).map(([name, profile]) => [
      name,
      ...cells(profile, 'errorRate', 'delay', 'seed', 'outcomes'),
    ]),
)

const targets = table('Target, Kind, Requests, Outcomes*', '', (data: ControlOutput<'targets'>) =>
  data.map((each) => cells(each, 'target', 'kind', 'hits', 'outcomes')),
)

const inRows = (names: string[]) => names.map((name) => [name])
const snapshots = table('Snapshot', 'There is no snapshot.', inRows)
const spaces = table('Space', 'There is no space beside the common one.', inRows)

const clock = (data: ControlOutput<'clock'>): Result => ({ data, lines: [`${data.now}\t${data.mode}`] })

/** A new or changed record. */
const record = ({ record }: ControlOutput<'addRecord'>): Result => ({
  ...{ data: { record }, lines: ['id' in record ? record.id : record.email] },
})

/** The records of a kind, with a column for each field. */
function data(data: ControlOutput<'data'>): Result {
  const names = [...new Set(data.records.flatMap((each) => Object.keys(each)))]
  const emptyText = data.total === 0 ? 'There is no record.' : 'No record has the text.'
  return table(names.map((name) => `${name}*`).join(', '), emptyText, ({ records }: typeof data) =>
    records.map((each) => cells(each, ...names)),
  )(data)
}

/** What the command of a control prints; one that is not listed prints its data with `--json` alone. */
export const tables: { [Name in ControlName]?: (data: never) => Result } = {
  ...{ data, addRecord: record, setRecord: record, targets },
  ...{ scenarios, setScenario: scenarios, clearScenarios: scenarios },
  ...{ delay, setDelay: delay, chaos, setChaos: chaos, clearChaos: chaos, clock, setClock: clock },
  ...{ snapshots, saveSnapshot: snapshots, deleteSnapshot: snapshots },
  ...{ spaces, createSpace: spaces, removeSpace: spaces },
}
