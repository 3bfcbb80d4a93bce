import type { Command } from 'commander'
import type { WaitlistEntry } from '../../../store/state.js'
import { showTable } from '../../output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const list = (waitlist: Command) =>
  waitlist
    .command('list')
    .description('Show the waitlist, newest first.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples('npx dashboard-api waitlist list', 'npx dashboard-api waitlist list --json'),
    )
    .action(async ({ database, json }) => {
      const { listWaitlist } = await import('../../actions/waitlist.js')
      const entries = await listWaitlist(database)
      const columns = [
        { title: 'Email', value: ({ email }: WaitlistEntry) => email, yields: true },
        { title: 'Since', value: ({ createdAt }: WaitlistEntry) => createdAt },
      ]
      const nothing = 'The waitlist is empty.'
      await showTable({ data: { waitlist: entries }, columns, rows: entries, nothing }, json)
    })
