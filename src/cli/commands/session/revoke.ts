import type { Command } from 'commander'
import { note, show } from '../../output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const revoke = (session: Command) =>
  session
    .command('revoke')
    .description('End a production session at once.')
    .argument('<id>', 'its id, as "session list --database" shows it')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'id=$(npx dashboard-api session issue --user ada@example.com --json | node -p "JSON.parse(fs.readFileSync(0)).session")',
        'npx dashboard-api session revoke "$id"',
      ),
    )
    .action(async (id, { database, json }) => {
      const { revokeSession } = await import('../../actions/sessions.js')
      const { session, revoked } = await revokeSession(database, id)
      note(revoked ? `Revoked ${session}.` : `${session} was revoked before.`)
      await show({ data: { session, revoked }, lines: [session] }, json)
    })
