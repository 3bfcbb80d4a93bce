import type { Command } from 'commander'
import type { UserRecord } from '../../../store/state-file.js'
import { showList } from '../../output/show-list.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const list = (user: Command) =>
  user
    .command('list')
    .description('Show every user, by id.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api user list', 'npx dashboard-api user list --json'))
    .action(async ({ database, json }) => {
      const { withUsers } = await import('../../actions/users.js')
      const columns = [
        { title: 'Email', value: ({ email }: UserRecord) => email },
        { title: 'Name', value: nameOf, yields: true },
        { title: 'Signs in at', value: ({ issuer }: UserRecord) => issuer, yields: true },
        { title: 'Id', value: ({ id }: UserRecord) => id, tone: () => 'faint' as const, yields: true },
      ]
      await withUsers(database, (rows) =>
        showList({ name: 'users', columns, rows, nothing: 'There is no user.' }, json),
      )
    })

const nameOf = ({ givenName, familyName }: UserRecord) => `${givenName} ${familyName}`.trim()
