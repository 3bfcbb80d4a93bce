import type { Command } from 'commander'
import { showRecord } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const show = (session: Command) =>
  session
    .command('show')
    .description('Show a production session.')
    .argument('<id>', 'its id, as "session list --database" shows it')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'id=$(npx dashboard-api session issue --user ada@example.com --json | node -p "JSON.parse(fs.readFileSync(0)).session")',
        'npx dashboard-api session show "$id"',
      ),
    )
    .action(async (id, { database, json }) => {
      const { showSession } = await import('../../actions/sessions.js')
      const session = await showSession(database, id)
      await showRecord(
        {
          data: { session },
          fields: [
            ['Session', session.id],
            ['State', session.state],
            ['Email', session.email],
            ['User', session.userId],
            ['Organisation', session.orgCode ?? 'none'],
            ['Permissions', session.permissions.join(',') || 'none'],
            ['Created', session.createdAt],
            ['Last seen', session.lastSeenAt],
            ['Expires', session.expiresAt],
            ['Revoked', session.revokedAt],
          ],
        },
        json,
      )
    })
