import { type Command, Option } from 'commander'
import type { Persona } from '../verify/cases/case.js'
import type { Report, Result } from '../verify/runner/verify-service.js'
import { examples, jsonOption, parseUrl } from './options.js'
import { printMessage, showTable } from './output/output.js'
import { Failure, UserError } from './user-error.js'
import { writeAtomically } from './write-atomically.js'

export const define = (verify: Command) =>
  verify
    .argument('<url>', 'the address of the service', parseUrl)
    .description('Check a running service against the interface, with the cases of the test suite.')
    .addOption(
      new Option('--cookie <who=value>', 'a session cookie and its caller; may be repeated')
        .argParser(addCookie)
        .default(new Map(), "none; for a mock, the demo's personas"),
    )
    .option('--write', 'also run the cases that change data; needs teams created for this purpose')
    .option('--interface-only', 'skip the cases of decisions that the interface leaves open')
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
    .action(async (url, { cookie: cookies, write = false, interfaceOnly = false, json, junit: file }) => {
      const [{ verify }, { DeploymentError }, { junit }] = await Promise.all([
        import('../verify/runner/verify-service.js'),
        import('../verify/runner/discover.js'),
        import('../verify/runner/junit.js'),
      ])
      const report = await verify({ url, cookies, write, interfaceOnly }).catch((error) => {
        throw error instanceof DeploymentError ? new UserError(error.message, error.hint) : error
      })
      if (file !== undefined) await writeAtomically(file, [junit(report)])
      await showReport(report, json)
    })

/** The callers of `--cookie`, the demo's persona of each, and its description. */
const callers: Record<string, [Persona, string]> = {
  owner: ['acme-owner', 'may create and update projects'],
  member: ['acme-member', 'a second member of the same team'],
  viewer: ['acme-viewer', 'a member of the same team with neither permission'],
  'other-owner': ['globex-owner', 'a member of another team, with both permissions'],
  'no-organization': ['no-organization', 'a user without organisation'],
  'no-team': ['no-team', 'a user whose organisation has no team'],
  expired: ['expired', 'an expired session'],
}

const callersHelp = `\nCallers of --cookie; cases that need another caller are skipped:\n${Object.entries(
  callers,
)
  .map(([name, [, description]]) => `  ${name.padEnd(16)} ${description}\n`)
  .join('')}
Without --write only GET and HEAD requests are sent. With --write, projects stay behind, since the interface cannot
delete them. The teams of owner and other-owner must be created for it; it does not start in a team with other
projects.`

function addCookie(value: string, cookies: ReadonlyMap<Persona, string>): Map<Persona, string> {
  const [, who = '', cookie = ''] = value.match(/^([\w-]+)=(.+)$/s) ?? []
  const persona = Object.entries(callers).find(([name, [persona]]) => name === who || persona === who)?.[1][0]
  if (!persona || /[\r\n]/.test(cookie)) {
    // An InvalidArgumentError would print the value, and with it the cookie.
    const names = Object.keys(callers).join(', ')
    throw new UserError(
      '--cookie takes WHO=VALUE.',
      `WHO is one of ${names}; VALUE is the value of the cookie.`,
    )
  }
  return new Map(cookies).set(persona, `session=${cookie.replace(/^session=/, '')}`)
}

const columns = [
  { title: 'Result', value: ({ outcome }: Result) => outcome },
  {
    title: 'Requests',
    value: ({ exchanges }: Result) => exchanges.map(({ asked }) => asked).join('; '),
    shrinks: true,
  },
  {
    title: 'Statuses',
    value: ({ exchanges }: Result) => exchanges.map(({ came }) => came).join(' '),
    shrinks: true,
  },
  { title: 'Case', value: ({ says }: Result) => says, shrinks: true },
  { title: 'Section or decision', value: ({ proves }: Result) => proves, shrinks: true },
]

async function showReport(report: Report, json?: boolean): Promise<void> {
  const withOutcome = (outcome: Result['outcome']) =>
    report.results.filter((result) => result.outcome === outcome)
  const [kept, violated, skipped] = [withOutcome('kept'), withOutcome('violated'), withOutcome('skipped')]
  const counts = { kept: kept.length, violated: violated.length, skipped: skipped.length }
  const rows = [...kept, ...violated]
  await showTable({ data: { ...report, ...counts }, columns, rows, emptyText: 'No case could be run.' }, json)
  for (const { says, proves, faults } of violated) {
    printMessage(`violated: ${says} (${proves})\n  ${faults.join('\n  ')}`)
  }
  const reasons = new Map<string, number>()
  for (const { reason = '' } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  for (const [reason, count] of reasons) printMessage(`skipped ${count}: ${reason}`)
  printMessage(
    `${counts.kept} kept, ${counts.violated} violated, ${counts.skipped} skipped (${report.mode} mode)`,
  )
  if (counts.violated > 0) throw new Failure(`${report.url} violates the interface.`)
}
