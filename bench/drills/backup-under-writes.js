import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, wrongIn } from './compare.js'
import { withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { startWriters } from './load.js'
import { startCommand } from './processes.js'
import { storedIn } from './stored.js'

/** After so many copies a new database is begun, so that they stay short. */
const copiesOfDatabase = 25
/** The clients pause for longer than they need: the copies take the time. */
const pauseMs = 30
/** How long the clients write before a copy of the control, in ms. */
const beforeCopyMs = 200

/** Copies a database by a command, and restores the copy. @returns the restored file @throws Error with what a command says */
async function backUpAndRestore(database, folder) {
  const [copy, restored] = [join(folder, 'backup.db'), join(folder, 'restored.db')]
  const run = async (...args) => {
    const { code, output } = await startCommand(args).ended
    if (code !== 0) throw new Error(`${args[1]} ended with ${code}: ${output}`)
  }
  await run('database', 'backup', copy, '--database', database)
  const to = performance.now()
  await run('database', 'restore', copy, '--database', restored, '--yes')
  rmSync(copy)
  return { file: restored, to }
}

/** Copies the file, as `cp` does. */
async function copyFile(database, folder) {
  await sleep(beforeCopyMs)
  const file = join(folder, 'copy.db')
  copyFileSync(database, file)
  return { file, to: performance.now() }
}

/** @returns for each copy that is not whole, or not of one moment while it was made, what is wrong */
const copyUnderWrites = ({ rounds, copiesFile = false }) =>
  inLanes(rounds, copiesOfDatabase, (_, copies) =>
    withDatabase({ kind: 'sqlite' }, async ({ folder, database, startNode }) => {
      const node = await startNode()
      const writers = startWriters(node.url, { pauseMs })
      const faults = []
      const copy = copiesFile ? copyFile : backUpAndRestore
      for (let i = 1; i <= copies; i += 1) {
        try {
          const from = performance.now()
          const { file, to } = await copy(database, folder)
          const { projects } = await storedIn(file)
          for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
          const wrong = wrongIn(compare(writers.history, projects, { from, to }))
          if (wrong.length > 0) faults.push(`copy ${i}: ${wrong.join(', ')}`)
        } catch (error) {
          faults.push(`copy ${i}: ${error.message}`)
        }
      }
      await writers.stop()
      return { faults, broken: faults.length, copies, acknowledged: writers.acknowledged() }
    }),
  )

export const backupUnderWrites = {
  name: 'backup-under-writes',
  promise: 'A backup that is made under writes restores whole, as of one moment while it was made.',
  fault:
    '`database backup` and `database restore` while 12 clients write: all that was acknowledged before the copy is in it, nothing that was sent after it; of what lies between, with each write all that was acknowledged before it was sent',
  target: 'every one of 100',
  rounds: 100,
  quickRounds: 4,
  make: copyUnderWrites,
  none: { broken: 'not whole' },
  some: { copies: 'copies', acknowledged: 'writes' },
  controls: [
    { fault: 'Copies that `cp` makes of the file', rounds: 20, copiesFile: true, caught: ['broken'] },
  ],
}
