// The projects of a team as a model for `find-order.js`. An operation is one of
// - `{ kind: 'create', key, name, isTaken }`: `key` is unique, and is the description of the project; `isTaken` is true if the
//   name was refused
// - `{ kind: 'update', key, value }`: sets the status of the project with this key
// - `{ kind: 'read', seen }`: `seen` maps the key of each listed project to its status

/** The state: the status of each project by key, as text. */
const textOf = (entries) =>
  entries
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join()
const entriesOf = (state) => (state === '' ? [] : state.split(',').map((entry) => entry.split('=')))

/** The status of a new project. */
const created = 'active'

/**
 * Prepares the history of a team for the search.
 * @returns the model, and the operations that may matter
 */
export function teamModel(history) {
  const creations = new Map(history.filter(({ kind }) => kind === 'create').map((each) => [each.key, each]))
  const seen = new Set(
    history.flatMap((each) =>
      each.kind === 'read' ? [...each.seen].flatMap(([key, value]) => [key, `${key}=${value}`]) : [],
    ),
  )
  const refused = new Set(history.flatMap((each) => (each.isTaken ? [each.name] : [])))
  // An operation of unknown outcome that no response shows need not have happened. Omitting it shortens the search.
  const mayMatter = ({ kind, end, key, name, value }) =>
    end < Infinity || (kind === 'update' ? seen.has(`${key}=${value}`) : seen.has(key) || refused.has(name))

  const overlaps = (a, b) => a.start <= b.end && b.start <= a.end
  /** Two creations of one name may both succeed if they are concurrent (4.1, rule 2). */
  const mayShareName = (creation, other) =>
    creation.name === other.name && overlaps(creation, other) && other.key !== creation.key

  const apply = (state, operation) => {
    const entries = entriesOf(state)
    if (operation.kind === 'read') return textOf([...operation.seen]) === state ? state : undefined
    if (operation.kind === 'update') {
      const isThere = entries.some(([key]) => key === operation.key)
      const changed = entries.map(([key, value]) => [key, key === operation.key ? operation.value : value])
      return isThere ? textOf(changed) : undefined
    }
    const same = entries.map(([key]) => creations.get(key)).filter((each) => each?.name === operation.name)
    if (operation.isTaken) return same.length > 0 ? state : undefined
    return same.every((each) => mayShareName(operation, each))
      ? textOf([...entries, [operation.key, created]])
      : undefined
  }
  return { operations: history.filter(mayMatter), model: { initial: '', apply } }
}
