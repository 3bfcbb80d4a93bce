// What a drill over SQLite works with: a database with the data of its clients, and nodes of the service.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabase } from '../speed/dataset.js'
import { startNode } from './processes.js'
import { mountDisk } from './small-disk.js'
import { withFolder } from './with-folder.js'
import { teams } from './write-history.js'

/**
 * Runs a part of a drill with a new database in a folder of its own, and ends all that it started.
 * @param options.diskSize of a small disk for the folder, such as `16m`
 */
export const withSqlite = (use, { diskSize } = {}) =>
  withFolder(async ({ folder: root, onEnd }) => {
    const folder = join(root, 'data')
    if (diskSize) onEnd(mountDisk(folder, diskSize))
    else mkdirSync(folder)
    const database = join(folder, 'live.db')
    await makeDatabase(database, { teams, projects: 1 })
    return use({
      root,
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
