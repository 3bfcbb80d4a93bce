import { randomBytes } from 'node:crypto'
import { type Command, Option } from 'commander'
import { addCommand } from '../define-command.js'
import { readInput } from '../files.js'
import { databaseOption } from '../options.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { findTeam } from './find-records.js'
import { readDatabase } from './open-database.js'

const notes = `
The personas are the users who have had a session with the organisation, such as editor-1 or viewer-2; no session of
production can be used with them. The same secret makes the same values in each export.`

/** The fewest bytes of a secret. */
const minSecretLength = 32
const makeSecret = 'openssl rand -base64 32 >anonymize-secret'

export const defineFromDatabase = (group: Command, usage: string) =>
  addCommand(group, usage, {
    about: 'Print one team of a production database as a state file; the database is only read.',
    options: [
      databaseOption(),
      new Option('--team <team>', 'its organisation code or its id').makeOptionMandatory(),
      ['--anonymize', 'replace what identifies people, the customer and their projects'],
      new Option(
        '--secret-file <file>',
        'implies --anonymize; its secret (default: a random one for this export)',
      ).implies({ anonymize: true }),
      ['--output <file>', 'write to this file, atomically'],
    ],
    notes,
    examples: [
      '--team org_acme --anonymize > fixture.json',
      `${makeSecret} && npx dashboard-api state from-database --team org_acme --anonymize --secret-file anonymize-secret --output fixture.json`,
    ],
    async run({ database, team: key, anonymize = false, secretFile, output }) {
      const secret = secretFile === undefined ? undefined : await readSecret(secretFile)
      const { readTeamState } = await import('./team-state.js')
      const state = await readDatabase(database, async (store, name) =>
        readTeamState(store, await findTeam(store, name, key)),
      )
      const fixture = anonymize
        ? (await import('../anonymize/anonymize-state.js')).anonymizeState(state, secret ?? randomBytes(32))
        : state
      const { sessions, projects } = fixture
      const hints = [
        `The fixture has ${pluralize(projects.length, 'project')} and ${pluralize(sessions.length, 'persona')}.`,
      ]
      if (sessions.length === 0) {
        hints.push('No session with the organisation is stored: add a user and a session to the fixture.')
      }
      if (!anonymize) hints.push('It has data of people and of the customer: --anonymize replaces them.')
      else if (secret === undefined) {
        hints.push('The secret was a random one: give --secret-file for the same values in each export.')
      }
      return { document: fixture, file: output, hints }
    },
  })

/** @throws UserError for a file that cannot be read, or is too short to be a secret */
async function readSecret(file: string): Promise<string> {
  const hint = `Make one with: ${makeSecret}`
  const text = await readInput(file, { name: `The secret file ${file}`, hint })
  const secret = String(text).replace(/\r?\n$/, '')
  if (Buffer.byteLength(secret) >= minSecretLength) return secret
  throw new UserError(`The secret in ${file} has fewer than ${minSecretLength} bytes.`, hint)
}
