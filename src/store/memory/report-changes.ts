import type { StateKind } from '../state-file.js'
import type { MemoryDatabase } from './memory-database.js'
import { toRecord } from './memory-records.js'
import { isSameRecord, type OnRecordChange } from './record-changes.js'

/** A model of the database with the methods that change records. */
type Model<Row> = {
  create(row: Partial<Row>): Row
  update(row: Row, changes: Partial<Row>): Row
  remove(rows: readonly Row[]): void
  all(): Row[]
}

/** The same database. It reports each change that is made through it as soon as it is made. */
export function reportingChanges(db: MemoryDatabase, onChange: OnRecordChange): MemoryDatabase {
  const reporting = <Row extends object, Reported extends Model<Row>>(
    kind: StateKind,
    model: Reported & Model<Row>,
    keyOf: (row: Row) => string,
  ): Reported => {
    const recordOf = toRecord[kind]
    return {
      ...model,
      create(row: Partial<Row>) {
        const created = model.create(row)
        onChange([{ kind, key: keyOf(created), after: recordOf(created) }])
        return created
      },
      update(row: Row, changes: Partial<Row>) {
        const before = recordOf(row)
        const updated = model.update(row, changes)
        const after = recordOf(updated)
        if (!isSameRecord(before, after)) onChange([{ kind, key: keyOf(updated), before, after }])
        return updated
      },
      remove(rows: readonly Row[]) {
        if (rows.length === 0) return
        const places = new Map(model.all().map((row, i) => [row, i]))
        const changes = rows.map((row) => ({
          kind,
          key: keyOf(row),
          before: recordOf(row),
          at: { before: places.get(row) },
        }))
        model.remove(rows)
        onChange(changes)
      },
    }
  }
  const id = (row: { id: string }) => row.id
  return {
    ...db,
    teams: reporting('teams', db.teams, id),
    users: reporting('users', db.users, id),
    sessions: reporting('sessions', db.sessions, id),
    projects: reporting('projects', db.projects, id),
    waitlist: reporting('waitlist', db.waitlist, ({ email }) => email),
  }
}
