// What a drill over SQLite works with: a database with the data of its clients, and nodes of the service.
import { join } from 'node:path'
import { makeDatabase } from '../speed/dataset.js'
import { startNode } from './processes.js'
import { withFolder } from './with-folder.js'
import { teams } from './write-history.js'

/** Runs a part of a drill with a new database in a folder of its own, and ends all that it started. */
export const withSqlite = (use) =>
  withFolder(async ({ folder, onEnd }) => {
    const database = join(folder, 'live.db')
    await makeDatabase(database, { teams, projects: 1 })
    return use({
      folder,
      database,
      onEnd,
      async startNode(options = {}) {
        const node = await startNode({ database, ...options })
        onEnd(() => node.kill())
        return node
      },
    })
  })
