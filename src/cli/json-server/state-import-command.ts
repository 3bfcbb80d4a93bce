import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { shellQuote } from '../../pages/shell-quote.js'
import { parseJsonText } from '../../store/parse-json-text.js'
import { addCommand } from '../define-command.js'
import { readInput, writeAtomically, writeFailure } from '../files.js'
import { pluralize } from '../output/pluralize.js'
import { stateFailure } from '../read-state-file.js'
import { UserError } from '../user-error.js'
import { handlersText } from './handlers-text.js'
import { isDb, readDb } from './read-db.js'

const notes = `
Its collections teams, users, projects and waitlist become records of the interface, each user a persona; others become MSW
handlers, with plain REST over them. What the interface does not have is named, and left out.`

export const defineStateImport = (group: Command, usage: string) =>
  addCommand(group, usage, {
    about: 'Make a state file and MSW handlers from a db.json of json-server, for "dev".',
    args: ['the db.json'],
    options: [['--output <folder>', 'where to write state.json and handlers.mjs', String, 'mocks']],
    notes,
    examples: ['db.json', 'db.json --output mocks'],
    async run({ file, output: folder = '.' }) {
      const hint = 'Give the path of a db.json: an object with a list under each name.'
      const db = await parseDb(file, String(await readInput(file, { hint })), hint)
      const { state, others, dropped } = await readImported(file, db)
      const names = Object.keys(others)
      const files = [join(folder, 'state.json')]
      if (names.length > 0) files.push(join(folder, 'handlers.mjs'))
      for (const each of files) {
        if (existsSync(each)) {
          throw new UserError(
            `${each} exists, and was not changed.`,
            'Move it away, or choose another --output.',
          )
        }
      }
      await mkdir(folder, { recursive: true }).catch((error) => {
        throw writeFailure(folder, error)
      })
      const texts = [`${JSON.stringify(state, undefined, 2)}\n`, handlersText(others)]
      for (const [i, each] of files.entries()) await writeAtomically(each, [texts[i] ?? ''])

      const [stateFile = '', handlersFile] = files
      const start = `npx dashboard-api dev --fixtures ${shellQuote(stateFile)}${handlersFile ? ` --handlers ${shellQuote(handlersFile)}` : ''}`
      const hints = [
        `${stateFile}: ${pluralize(state.projects.length, 'project')} at /v1/projects, ` +
          `${pluralize(state.sessions.length, 'persona')}.`,
      ]
      if (handlersFile)
        hints.push(`${handlersFile}: ${names.map((name) => `/${name}`).join(', ')}. It needs msw.`)
      if (dropped.length > 0) hints.push(`Left out, as the interface lacks it: ${dropped.join(', ')}.`)
      return { data: { files, dropped }, lines: files, hints: [...hints, `Next: ${start}`] }
    },
  })

async function parseDb(file: string, text: string, hint: string) {
  const db = await parseJsonText(text).catch((error: Error) => {
    throw new UserError(`${file}: ${error.message}.`, hint)
  })
  if (isDb(db)) return db
  throw new UserError(`${file} is not a db.json of json-server.`, hint)
}

async function readImported(file: string, db: Parameters<typeof readDb>[0]) {
  try {
    return readDb(db)
  } catch (error) {
    throw await stateFailure(file, error)
  }
}
