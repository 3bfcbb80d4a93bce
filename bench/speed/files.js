// The files of a run: databases, state files, fixed responses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedResponses, makeDatabase, signedCookies } from './dataset.js'

export function writeJson(folder, name, value) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(value))
  return file
}

/** Writes the responses for a team with 20 projects, for servers that send fixed responses. Returns the file. */
export const writeResponses = (folder) => writeJson(folder, 'responses', fixedResponses())

/** Creates a database with the data set, and the cookies of its sessions. */
export async function createDatabase(folder, name, size = {}) {
  const database = join(folder, `${name}.db`)
  await makeDatabase(database, size)
  return { database, cookies: signedCookies(size.teams ?? 1) }
}

/** Calls an async function for one item after the other, and returns the results. */
export async function mapInSeries(items, run) {
  const results = []
  for (const item of items) results.push(await run(item))
  return results
}
