import type { Command } from 'commander'
import { show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'
import { partOf, partOptions } from './part.js'

export const stats = (waitlist: Command) =>
  partOptions(waitlist.command('stats'))
    .description('Count the addresses per day (UTC) and per domain.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist stats',
        'npx dashboard-api waitlist stats --since 2026-01-01 --json',
      ),
    )
    .action(async ({ database, json, ...part }) => {
      const { waitlistStats } = await import('../../actions/waitlist-stats.js')
      const data = await waitlistStats(database, partOf(part))
      const lines = [
        'By\tOf\tAddresses',
        ...data.days.map(({ day, count }) => `day\t${day}\t${count}`),
        ...data.domains.map(({ domain, count }) => `domain\t${domain}\t${count}`),
      ]
      const view = async (width: number) =>
        (await import('../../terminal/views/waitlist-chart.js')).WaitlistChart({ stats: data, width })
      await show({ data, lines, view }, json)
    })
