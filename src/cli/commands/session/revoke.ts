import { type Command, Option } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { pluralize } from '../../output/pluralize.js'
import { UserError } from '../../user-error.js'
import { databaseOption, examples, jsonOption, yesOption } from '../options.js'

export const revoke = (session: Command) =>
  session
    .command('revoke')
    .description('End a production session at once, or all of a user or of an organisation.')
    .argument('[id]', 'its id, as "session list --database" shows it')
    .addOption(
      new Option('--all-of-user <user>', 'end every session of this address or user id').conflicts(
        'allOfOrganization',
      ),
    )
    .option('--all-of-organization <code>', 'end every session with this organisation code')
    .addOption(yesOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nOne session is ended without a question; all of somebody only after one.\n')
    .addHelpText(
      'after',
      examples(
        'id=$(npx dashboard-api session issue --user ada@example.com --json | node -p "JSON.parse(fs.readFileSync(0)).session")',
        'npx dashboard-api session revoke "$id"',
        'npx dashboard-api session revoke --all-of-user ada@example.com --yes',
      ),
    )
    .action(async (id, { allOfUser, allOfOrganization, ...options }) => {
      if ([id, allOfUser, allOfOrganization].filter((each) => each !== undefined).length !== 1) {
        throw new UserError(
          'Give either the id of a session, or --all-of-user, or --all-of-organization.',
          '"npx dashboard-api session revoke --help" shows what it takes.',
        )
      }
      if (id !== undefined) await revokeOne(id, options)
      else if (allOfUser !== undefined) await revokeAll({ user: allOfUser }, allOfUser, options)
      else await revokeAll({ organization: allOfOrganization }, allOfOrganization, options)
    })

type Options = { database?: string; json?: boolean; yes?: boolean }

async function revokeOne(id: string, { database, json }: Options) {
  const { revokeSession } = await import('../../actions/sessions.js')
  const { session, revoked } = await revokeSession(database, id)
  printMessage(revoked ? `Revoked ${session}.` : `${session} was revoked before.`)
  await show({ data: { session, revoked }, lines: [session] }, json)
}

async function revokeAll(
  of: { user: string } | { organization: string },
  name: string,
  { database, json, yes }: Options,
) {
  const [{ revokeSessionsOf }, { confirm }] = await Promise.all([
    import('../../actions/sessions.js'),
    import('../../output/confirm.js'),
  ])
  const revoked = await revokeSessionsOf(database, of, (open) =>
    confirm(`This ends ${pluralize(open, 'open session')} of ${name} at once.`, yes),
  )
  printMessage(`Revoked ${pluralize(revoked, 'session')} of ${name}.`)
  await show({ data: { ...of, revoked }, lines: [String(revoked)] }, json)
}
