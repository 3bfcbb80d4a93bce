import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { examples, jsonOption, settingOption, ttlOption } from '../options.js'

const about = `
It signs with the first secret of DASHBOARD_API_SESSION_SECRET, which has to be set as it is for "serve". The
user is made where there is none. Without an organisation, or with one that has no team, it is a caller of that
kind.
`

export const issue = (session: Command) =>
  session
    .command('issue')
    .description("Start a production session without sign-in, and print its cookie's value.")
    .requiredOption('--user <email>', 'whose session it is')
    .option('--organization <code>', 'the organisation code it carries (default: none)')
    .option('--permissions <list>', 'separated by commas, "" for none (default: all that operations ask for)')
    .addOption(ttlOption())
    .addOption(settingOption('database', '<file>'))
    .addOption(jsonOption('print cookie, session (its id) and expiresAt as JSON'))
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session issue --user ada@acme.example --organization org_acme',
        'npx dashboard-api session issue --user vera@acme.example --organization org_acme --permissions "" --ttl 30m',
      ),
    )
    .action(async ({ json, ...options }) => {
      const { issueForOperator } = await import('../../actions/issue-session.js')
      const { unused, ...issued } = await issueForOperator(options)
      if (unused.length > 0) printMessage(`No operation asks for ${unused.join(', ')}.`)
      printMessage(`Session ${issued.session} lasts until ${issued.expiresAt}.`)
      await show({ data: issued, lines: [issued.cookie] }, json)
      printMessage(
        'hint: Keep the value with COOKIE=$(npx dashboard-api session issue …), and send it as the cookie "session":',
      )
      printMessage('  curl --cookie "session=$COOKIE" http://127.0.0.1:8080/v1/auth/me')
    })
