import { type Command, Option } from 'commander'
import type { Persona } from '../../verify/cases/case.js'
import type { Report, Result } from '../../verify/runner/verify-service.js'
import { printMessage, showTable } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { examples, jsonOption, parseUrl } from './options.js'

export const verify = (program: Command) =>
  program
    .command('verify')
    .argument('<url>', 'where the service answers', parseUrl)
    .description('Check that a running service keeps the interface, with the cases of the test suite.')
    .addOption(
      new Option('--cookie <who=value>', 'a session cookie and who it is; may be repeated')
        .argParser(addCookie)
        .default(new Map(), "none; a mock is asked as its demo's personas"),
    )
    .option('--write', 'play the cases that change something too, in teams made for it')
    .option('--interface-only', 'leave out what was decided where the interface is silent')
    .option('--junit <file>', 'write a JUnit report to a file')
    .addOption(jsonOption())
    .addHelpText('after', callersHelp)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api verify http://127.0.0.1:4010',
        'npx dashboard-api verify https://api.example.com --cookie owner=$COOKIE --junit report.xml',
      ),
    )
    .action(async (url, { cookie, write = false, interfaceOnly = false, json, ...options }) => {
      const { verifyDeployment } = await import('../actions/verify.js')
      const report = await verifyDeployment({ url, cookies: cookie, write, interfaceOnly, ...options })
      await showReport(report, json)
    })

/** Who a cookie may be of: the short names of the demo's personas. */
const callers: Record<string, [Persona, string]> = {
  owner: ['acme-owner', 'a caller who may create and update projects'],
  member: ['acme-member', 'another one of the same team'],
  viewer: ['acme-viewer', 'one of the same team with neither permission'],
  'other-owner': ['globex-owner', 'one of another team, with both permissions'],
  'no-organization': ['no-organization', 'a caller without organisation'],
  'no-team': ['no-team', 'one whose organisation has no team'],
  expired: ['expired', 'a session that is over'],
}

const callersHelp = `\nWho a cookie may be of; what needs another one is skipped:\n${Object.entries(callers)
  .map(([name, [, what]]) => `  ${name.padEnd(16)} ${what}\n`)
  .join('')}
Without --write nothing but GET and HEAD is sent. With it, projects stay behind: the interface has no way to delete
them. The teams of owner and other-owner have to be made for it; in a team with other projects it does not start.
`

function addCookie(value: string, cookies: ReadonlyMap<Persona, string>): Map<Persona, string> {
  const [, who = '', cookie = ''] = value.match(/^([\w-]+)=(.+)$/s) ?? []
  const persona = Object.entries(callers).find(([name, [persona]]) => name === who || persona === who)?.[1][0]
  if (!persona || /[\r\n]/.test(cookie)) {
    // Commander would repeat the value, and with it the cookie.
    const names = Object.keys(callers).join(', ')
    throw new UserError('--cookie takes WHO=VALUE', `WHO is one of ${names}; VALUE is what the cookie has.`)
  }
  return new Map(cookies).set(persona, `session=${cookie.replace(/^session=/, '')}`)
}

async function showReport(report: Report, json?: boolean) {
  const { results } = report
  const of = (outcome: Result['outcome']) => results.filter((one) => one.outcome === outcome)
  const [kept, violated, skipped] = [of('kept'), of('violated'), of('skipped')]
  const columns = [
    { title: 'Result', value: ({ outcome }: Result) => outcome },
    {
      title: 'Asked',
      value: ({ exchanges }: Result) => exchanges.map(({ asked }) => asked).join('; '),
      yields: true,
    },
    {
      title: 'Came',
      value: ({ exchanges }: Result) => exchanges.map(({ came }) => came).join(' '),
      yields: true,
    },
    { title: 'What is relied on', value: ({ says }: Result) => says, yields: true },
    { title: 'Section or decision', value: ({ proves }: Result) => proves, yields: true },
  ]
  const counts = { kept: kept.length, violated: violated.length, skipped: skipped.length }
  await showTable(
    {
      data: { ...report, ...counts },
      columns,
      rows: [...kept, ...violated],
      nothing: 'No case could be played.',
    },
    json,
  )
  for (const { says, proves, faults } of violated)
    printMessage(`violated: ${says} (${proves})\n  ${faults.join('\n  ')}`)
  for (const [reason, count] of countedBy(skipped.map((one) => one.reason ?? '')))
    printMessage(`skipped ${count}: ${reason}`)
  printMessage(
    `${kept.length} kept, ${violated.length} violated, ${skipped.length} skipped (${report.mode} mode)`,
  )
  if (violated.length > 0) throw new Failure(`${report.url} does not keep the interface.`)
}

function countedBy(reasons: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}
