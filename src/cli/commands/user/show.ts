import type { Command } from 'commander'
import { showRecord } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const show = (user: Command) =>
  user
    .command('show')
    .description('Show a user, where one signs in, and the sessions.')
    .argument('<user>', 'the address or the id')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api user show ada@acme.example'))
    .action(async (key, { database, json }) => {
      const { showUser } = await import('../../actions/users.js')
      const { user, sessions } = await showUser(database, key)
      const open = sessions.filter(({ state }) => state === 'open').map(({ id }) => id)
      await showRecord(
        {
          data: { user, sessions },
          fields: [
            ['Id', user.id],
            ['Email', user.email],
            ['Given name', user.givenName],
            ['Family name', user.familyName],
            ['Picture', user.picture],
            ['Signs in at', user.issuer],
            ['Subject there', user.subject],
            ['Open sessions', open.join(', ') || 'none'],
            ['Ended sessions', String(sessions.length - open.length)],
          ],
        },
        json,
      )
    })
