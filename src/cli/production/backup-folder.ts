import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../user-error.js'
import { keptBackups, type Retention } from './backup-retention.js'

/** The names of the backups of one database in a folder: the name of the database, and the time in UTC. */
export function backupNames(database: string) {
  const prefix = `${basename(database, '.db')}-`
  const nameAt = (time: number): string => `${prefix}${new Date(time).toISOString().replaceAll(':', '-')}.db`
  return {
    nameAt,
    /** The time of a backup; undefined for the name of anything else. */
    timeOf(name: string): number | undefined {
      const text = name.slice(prefix.length, -'.db'.length)
      const time = Date.parse(text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'))
      return !Number.isNaN(time) && nameAt(time) === name ? time : undefined
    },
  }
}

/** @throws UserError for a folder that does not exist or cannot be listed */
export async function requireFolder(folder: string): Promise<void> {
  try {
    await readdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(
      code === 'ENOENT' ? `There is no folder ${folder}.` : `The folder ${folder} cannot be read (${code}).`,
      'Create it or mount its disk, and allow this user to read and write it.',
    )
  }
}

/** What became of the backups of a folder: their names, newest first. */
export type Thinned = {
  kept: string[]
  removed: string[]
  /** Those that could not be removed. */
  failed: string[]
  /** Those of `kept` with a later time than the new backup. */
  later: string[]
}

/**
 * Removes the backups of a database that a retention does not keep; never another file, nor one that is as new as the
 * backup that was just made.
 * @param newest the time of that backup
 */
export async function thinBackups(
  folder: string,
  database: string,
  newest: number,
  retention: Retention,
): Promise<Thinned> {
  const { nameAt, timeOf } = backupNames(database)
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
  const times = files.flatMap(({ name }) => timeOf(name) ?? []).sort((a, b) => b - a)
  const kept = keptBackups(times, newest, retention)
  const later = times.filter((time) => time > newest).map(nameAt)
  const thinned: Thinned = {
    kept: [...kept].sort((a, b) => b - a).map(nameAt),
    removed: [],
    failed: [],
    later,
  }
  for (const name of times.filter((time) => !kept.has(time)).map(nameAt)) {
    try {
      // Another run may have removed it already.
      await rm(join(folder, name), { force: true })
      thinned.removed.push(name)
    } catch {
      thinned.failed.push(name)
    }
  }
  return thinned
}
