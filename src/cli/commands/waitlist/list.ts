import type { Command } from 'commander'
import type { WaitlistEntry } from '../../../store/state-file.js'
import { showList } from '../../output/show-list.js'
import { databaseOption, examples, jsonOption } from '../options.js'
import { partOf, partOptions } from './part.js'

export const list = (waitlist: Command) =>
  partOptions(waitlist.command('list'))
    .description('Show the waitlist, newest first.')
    .option('--search <text>', 'only addresses with this text in them')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist list',
        'npx dashboard-api waitlist list --search @example.com --json',
      ),
    )
    .action(async ({ database, json, ...part }) => {
      const { withWaitlist } = await import('../../actions/waitlist.js')
      const columns = [
        { title: 'Email', value: ({ email }: WaitlistEntry) => email, yields: true },
        { title: 'Since', value: ({ createdAt }: WaitlistEntry) => createdAt },
      ]
      const nothing = 'There is no such address on the waitlist.'
      await withWaitlist(database, partOf(part), (rows) =>
        showList({ name: 'waitlist', columns, rows, nothing }, json),
      )
    })
