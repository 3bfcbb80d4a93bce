// What clients know of their writes: which were acknowledged, and which may or may not have an effect.

/**
 * A ledger of creations, each with a name of its own, and of updates of some projects, each to the next number.
 * @param projectIds the projects that are updated
 */
export function createLedger(projectIds) {
  const created = new Set()
  const updates = projectIds.map(() => ({ sent: 0, acknowledged: 0, unknown: new Set() }))

  /** Whether a project may show a number where the updates up to another were acknowledged. */
  const isPossible = ({ sent, unknown }, number, acknowledged) =>
    // A write whose outcome is not known may take effect at any later time.
    (number >= acknowledged && number <= sent) || unknown.has(number)

  return {
    created: (name) => void created.add(name),
    /** Begins the next update of a project. Returns its number, and what notes its outcome. */
    beginUpdate(i) {
      const project = updates[i]
      project.sent += 1
      const number = project.sent
      const end = (isAcknowledged) => {
        if (isAcknowledged) project.acknowledged = number
        else project.unknown.add(number)
      }
      return { number, end }
    },
    /** Begins a read of a project. Returns what tells whether the number that it showed is stale. */
    beginRead(i) {
      const { acknowledged } = updates[i]
      return (number) => !isPossible(updates[i], number, acknowledged)
    },
    /**
     * Compares the ledger with a database.
     * @param query runs SQL
     * @returns how many acknowledged writes are missing, and how many creations are there twice
     */
    async verify(query) {
      const named =
        "SELECT name, CAST(count(*) AS integer) AS times FROM projects WHERE name LIKE 'Drill %' GROUP BY name"
      const stored = new Map((await query(named)).map(({ name, times }) => [name, times]))
      const ids = projectIds.map((id) => `'${id}'`).join()
      const statuses = await query(`SELECT id, status FROM projects WHERE id IN (${ids})`)
      const numbers = new Map(statuses.map(({ id, status }) => [id, Number(status)]))
      const lostCreations = [...created].filter((name) => !stored.has(name))
      const lostUpdates = updates.filter(
        (project, i) => !isPossible(project, numbers.get(projectIds[i]), project.acknowledged),
      )
      return {
        lost: lostCreations.length + lostUpdates.length,
        doubled: [...stored.values()].filter((times) => times > 1).length,
      }
    },
  }
}
