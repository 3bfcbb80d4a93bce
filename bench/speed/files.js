// The files of a run: databases, state files, fixed responses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedResponses, makeDatabase, signedCookies } from './dataset.js'

/** Creates files with unique names in a folder. */
export function createFiles(folder) {
  let count = 0
  const newName = (end) => {
    count += 1
    return join(folder, `${count}${end}`)
  }
  const json = (value) => {
    const file = newName('.json')
    writeFileSync(file, JSON.stringify(value))
    return file
  }
  return {
    folder,
    log: join(folder, 'requests.log'),
    json,
    /** The responses for a team with 20 projects, for servers that send fixed responses. */
    responses: json(fixedResponses()),
    /** Creates a database with the data set. @returns its address, and the cookies of its sessions */
    async database(size = {}) {
      const database = newName('.db')
      await makeDatabase(database, size)
      return { database, cookies: signedCookies(size.teams ?? 1) }
    },
  }
}

/** Calls an async function for each item in sequence. @returns the results */
export async function mapInSeries(items, run) {
  const results = []
  for (const item of items) results.push(await run(item))
  return results
}
