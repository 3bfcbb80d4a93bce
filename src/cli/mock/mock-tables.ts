import { forcedText } from '../../mock/core/forced-text.js'
import type { ControlName, ControlOutput } from '../../mock/http/control-endpoints.js'
import type { Result } from '../output/show.js'

type Cells = (string | undefined)[]

/**
 * A result as a table.
 * @param titles separated by commas; a column with a star is narrowed where the terminal is narrow
 */
function table(data: unknown, titles: string, emptyText: string, rows: Cells[]): Result {
  const columns = titles.split(', ').map((title, i) => ({
    title: title.replace('*', ''),
    value: (row: Cells) => row[i],
    shrinks: title.endsWith('*'),
  }))
  return { data, table: { columns, rows, emptyText } }
}

type Print<Name extends ControlName> = (data: ControlOutput<Name>) => Result

export const scenarios: Print<'scenarios'> = (data) => {
  const rows = data.map((each) => [each.target, forcedText(each), each.times?.toString(), each.session])
  return table(data, 'Operation, Outcome, Times, Session', 'No scenario is active.', rows)
}

const delay: Print<'delay'> = (data) =>
  table(data, 'Operation, Milliseconds', '', [['all', data.all], ...Object.entries(data.operations)])

const chaos: Print<'chaos'> = (data) => {
  const { all, operations } = data
  const rows = Object.entries({ ...(all && { all }), ...operations }).map(([name, profile]) => {
    const { errorRate, delay, seed, outcomes } = profile
    return [name, String(errorRate), delay, String(seed), outcomes.join(' ')]
  })
  return table(data, 'Operation, Error rate, Milliseconds, Seed, Outcomes*', 'There is no chaos.', rows)
}

const clock: Print<'clock'> = (data) => ({ data, lines: [`${data.now}\t${data.mode}`] })

const namesOf = (title: string, emptyText: string) => (names: string[]) =>
  table(
    names,
    title,
    emptyText,
    names.map((name) => [name]),
  )
const snapshots = namesOf('Snapshot', 'There is no snapshot.')
const spaces = namesOf('Space', 'There is no space beside the common one.')

/** A new or changed record. */
const record: Print<'addRecord'> = ({ record }) => ({
  data: { record },
  lines: ['id' in record ? record.id : record.email],
})

export const personas: Print<'sessions'> = (data) => {
  const rows = data.sessions.map(({ id, email, orgCode, role, note }) => {
    return [id === data.active ? '*' : '', id, email, orgCode, role, note]
  })
  return table(data, 'Active, Persona, Email*, Organisation, Role, Note*', 'The mock has no persona.', rows)
}

export const possibleScenarios: Print<'possibleScenarios'> = (data) => {
  const outcomes = Object.entries(data.operations)
  return table(data, 'Operation, Outcome, Note*', 'No scenario is possible.', [
    ...outcomes.flatMap(([name, all]) => all.map((each) => [name, each])),
    ...Object.entries(data.named).map(([name, description]) => [name, '', description]),
  ])
}

/** What the command of a control prints; one that is not listed prints its data with `--json` alone. */
export const tables: { [Name in ControlName]?: (data: never) => Result } = {
  ...{ addRecord: record, setRecord: record },
  /** A column for each field. */
  data(data: ControlOutput<'data'>) {
    const names = [...new Set(data.records.flatMap((each) => Object.keys(each)))]
    const emptyText = data.total === 0 ? 'There is no record.' : 'No record has the text.'
    const rows = data.records.map((each) => names.map((name) => String(Reflect.get(each, name) ?? '')))
    return table(data, names.map((name) => `${name}*`).join(', '), emptyText, rows)
  },
  ...{ scenarios, setScenario: scenarios, clearScenarios: scenarios },
  ...{ delay, setDelay: delay, chaos, setChaos: chaos, clearChaos: chaos, clock, setClock: clock },
  targets(data: ControlOutput<'targets'>) {
    const rows = data.map(({ target, kind, hits, outcomes }) => {
      return [target, kind, String(hits), outcomes.join(' ')]
    })
    return table(data, 'Target, Kind, Requests, Outcomes*', '', rows)
  },
  ...{ snapshots, saveSnapshot: snapshots, deleteSnapshot: snapshots },
  ...{ spaces, createSpace: spaces, removeSpace: spaces },
}
