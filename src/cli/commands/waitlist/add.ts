import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const add = (waitlist: Command) =>
  waitlist
    .command('add')
    .description('Put an address on the waitlist; it is trimmed and lower-cased first.')
    .argument('<email>', 'the address')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist add ada@example.com',
        'npx dashboard-api waitlist add -- -begins-with-a-dash@example.com',
      ),
    )
    .action(async (address, { database, json }) => {
      const { addToWaitlist } = await import('../../actions/waitlist.js')
      const { email, added } = await addToWaitlist(database, address)
      printMessage(added ? `Added ${email}.` : `${email} was on the waitlist already.`)
      await show({ data: { email, added }, lines: [email] }, json)
    })
