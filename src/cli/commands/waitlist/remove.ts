import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const remove = (waitlist: Command) =>
  waitlist
    .command('remove')
    .description('Take an address off the waitlist; it is trimmed and lower-cased first.')
    .argument('<email>', 'the address')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api waitlist remove ada@example.com'))
    .action(async (address, { database, json }) => {
      const { removeFromWaitlist } = await import('../../actions/waitlist.js')
      const { email, removed } = await removeFromWaitlist(database, address)
      printMessage(removed ? `Removed ${email}.` : `${email} was not on the waitlist.`)
      await show({ data: { email, removed }, lines: [email] }, json)
    })
