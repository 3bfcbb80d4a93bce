import { writeFileSync } from 'node:fs'
import { emptyFolder, run } from '../cli-process.js'

/** Creates a database with these addresses on its waitlist, the last one the newest. */
export async function createWaitlist(...addresses: string[]) {
  const folder = emptyFolder()
  const database = `${folder}/waitlist.db`
  await run(['seed', '--database', database])
  const waitlist = (command: string, ...args: string[]) =>
    run(['waitlist', command, '--database', database, ...args])
  for (const address of addresses) await waitlist('add', '--', address)
  return { folder, database, waitlist }
}

/** Creates a database with these entries on its waitlist. */
export async function importWaitlist(entries: { email: string; createdAt: string }[]) {
  const { folder, waitlist } = await createWaitlist()
  writeFileSync(`${folder}/entries.json`, JSON.stringify(entries))
  await waitlist('import', `${folder}/entries.json`)
  return { folder, waitlist }
}

/** A time in March 2026. */
export const marchDay = (number: number, time = '12:00:00.000') => `2026-03-0${number}T${time}Z`

export const threeEntries = [
  { email: 'ada@example.com', createdAt: marchDay(1, '00:00:00.000') },
  { email: 'max@example.com', createdAt: marchDay(2, '23:59:59.999') },
  { email: '+1@acme.example', createdAt: marchDay(3) },
]

export const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/
