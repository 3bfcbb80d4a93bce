import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, problemsIn } from './compare.js'
import { withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { startWriters } from './load.js'
import { startCommand } from './processes.js'
import { readRecords } from './records.js'

/** Starts with a new database after this many copies, so that copies stay small. */
const copiesOfDatabase = 25
/** A longer pause than the default: copying takes most of the time of this drill. */
const pauseMs = 30
/** How long the clients write before the control copies the file, in ms. */
const beforeCopyMs = 200

/**
 * Backs up a database, and restores the copy, with the commands of the executable.
 * @returns the restored file, and the time at which the backup ended
 * @throws Error with the output of the command that failed
 */
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

/** Copies the file as `cp` does, without its log. */
async function copyFile(database, folder) {
  await sleep(beforeCopyMs)
  const file = join(folder, 'copy.db')
  copyFileSync(database, file)
  return { file, to: performance.now() }
}

/** @returns the problems of each copy that is incomplete, or that shows no single moment of the time in which it was made */
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
          const { projects } = await readRecords(file)
          for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
          const wrong = problemsIn(compare(writers.history, projects, { from, to }))
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
  promise:
    'A backup made under writes restores completely, and shows one moment of the time in which it was made.',
  fault:
    '`database backup` and `database restore` while 12 clients write. The copy has every write acknowledged before it began, and none sent after it ended; if it has a write, it also has every write acknowledged before that one was sent',
  target: 'every one of 100',
  rounds: 100,
  quickRounds: 4,
  run: copyUnderWrites,
  mustBeZero: { broken: 'incomplete' },
  mustNotBeZero: { copies: 'copies', acknowledged: 'writes' },
  controls: [{ fault: 'Copies of the file made by `cp`', rounds: 20, copiesFile: true, caught: ['broken'] }],
}
