// The files of a run: databases, state files, answers that are ready.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDatabase, readyAnswers, signedCookies } from './world.js'

export function write(folder, name, value) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** The answers of a team with 20 projects, for those who have them ready. */
export const answersIn = (folder) => write(folder, 'answers', readyAnswers())

/** A database with a world in it, and the cookies of the sessions there. */
export async function databaseIn(folder, name, size = {}) {
  const database = join(folder, `${name}.db`)
  await makeDatabase(database, size)
  return { database, cookies: signedCookies(size.teams ?? 1) }
}

/** Runs for one item after the other. */
export async function each(items, run) {
  const results = []
  for (const item of items) results.push(await run(item))
  return results
}
