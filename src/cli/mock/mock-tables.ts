import type { ControlName, ControlOutput } from '../../mock/controls/control-endpoints.js'
import { forcedText } from '../../mock/engine/forced-text.js'
import { signedOut } from '../../mock/state/limit-words.js'
import type { Columns } from '../output/columns.js'
import type { CommandResult } from '../output/show.js'

/** Makes a table of a result. */
const table =
  <Data, Row>(rowsOf: (data: Data) => Row[], columns: Columns<NoInfer<Row>>, emptyText?: string) =>
  (data: Data): CommandResult => ({ data, table: { columns, rows: rowsOf(data), emptyText } })

export const scenarios = table(
  (all: ControlOutput<'scenarios'>) => all,
  { Operation: 'target', Outcome: forcedText, Times: 'times', Session: 'session' },
  'No scenario is active.',
)

export const possibleScenarios = table(
  ({ operations, named }: ControlOutput<'possibleScenarios'>) => [
    ...Object.entries(operations).flatMap(([name, all]) => all.map((each) => [name, each])),
    ...Object.entries(named).map(([name, description]) => [name, '', description]),
  ],
  {
    Operation: ([name]) => name,
    Outcome: ([, outcome]) => outcome,
    Note: { value: ([, , note]) => note, minWidth: 8 },
  },
)

const personas = table(
  ({ active, sessions }: ControlOutput<'sessions'>) =>
    sessions.map((each) => ({ ...each, mark: each.id === active ? '*' : '' })),
  {
    Active: 'mark',
    Persona: 'id',
    Email: { value: 'email', minWidth: 8 },
    Organisation: 'orgCode',
    Role: 'role',
    Note: { value: 'note', minWidth: 8 },
  },
  'The mock has no persona.',
)

const delay = table(({ all, operations }: ControlOutput<'delay'>) => Object.entries({ all, ...operations }), {
  Operation: ([name]) => name,
  Milliseconds: ([, ms]) => ms,
})

const chaos = table(
  ({ all, operations }: ControlOutput<'chaos'>) =>
    Object.entries({ ...(all && { all }), ...operations }).map(([name, each]) => ({ name, ...each })),
  {
    Operation: 'name',
    'Error rate': 'errorRate',
    Milliseconds: 'delay',
    Seed: 'seed',
    Outcomes: { value: 'outcomes', minWidth: 8 },
  },
  'There is no chaos.',
)

const targets = table((all: ControlOutput<'targets'>) => all, {
  Target: 'target',
  Kind: 'kind',
  Requests: 'hits',
  Outcomes: { value: 'outcomes', minWidth: 8 },
})

/** The calls of a target with the bodies that were sent. */
const calls = table(
  (all: ControlOutput<'calls'>) => all,
  {
    Id: 'id',
    Status: 'status',
    Persona: { value: ({ session }) => session ?? signedOut, minWidth: 8 },
    Body: { value: ({ body }) => (body === undefined ? '' : JSON.stringify(body)), minWidth: 8 },
  },
  'There is no such request.',
)

const call = (one: ControlOutput<'waitForRequest'>): CommandResult => ({ ...calls([one]), data: one })

const document = (data: object): CommandResult => ({ data, document: data })

const changes = table(
  (all: ControlOutput<'steps'>) => all,
  {
    Change: 'id',
    Time: { value: 'time', minWidth: 8 },
    'What happened': ({ done }) => done,
    Undone: ({ isUndone }) => (isUndone ? 'undone' : ''),
  },
  'Nothing has changed the mock.',
)

const names = (title: string, emptyText: string) =>
  table((all: string[]) => all, { [title]: (name) => name }, emptyText)
const snapshots = names('Snapshot', 'There is no snapshot.')
const spaces = names('Space', 'There is no space beside the common one.')

const clock = (data: ControlOutput<'clock'>): CommandResult => ({
  data,
  lines: [`${data.now}\t${data.mode}`],
})

/** A new or changed record. */
const record = ({ record }: ControlOutput<'addRecord'>): CommandResult => ({
  ...{ data: { record }, lines: ['id' in record ? record.id : record.email] },
})

/** The records of a kind, with a column for each field. */
const data = (data: ControlOutput<'data'>): CommandResult => {
  const names = data.records.flatMap((each) => Object.keys(each))
  // Commands take the id, which is whole where the terminal is narrow.
  const columns = Object.fromEntries(
    names.map((name) => [name, name === 'id' ? { value: name } : { value: name, minWidth: 8 }]),
  )
  const emptyText = data.total === 0 ? 'There is no record.' : 'No record has the text.'
  return { data, table: { columns, rows: data.records, emptyText } }
}

/** The output of the command of a control; one that is not listed prints its data with `--json` alone. */
export const tables: { [Name in ControlName]?: (data: never) => CommandResult } = {
  ...{ data, addRecord: record, setRecord: record, targets, sessions: personas },
  ...{ scenarios, setScenario: scenarios, clearScenarios: scenarios },
  ...{ delay, setDelay: delay, chaos, setChaos: chaos, clearChaos: chaos, clock, setClock: clock },
  steps: changes,
  ...{ calls, expectCalls: calls, waitForRequest: call, describeTarget: document },
  ...{ snapshots, saveSnapshot: snapshots, deleteSnapshot: snapshots },
  ...{ spaces, createSpace: spaces, removeSpace: spaces },
}
