import { setTimeout } from 'node:timers/promises'
import { Argument, type Command, Option, type OptionValues } from 'commander'
import { type Caller, callerNames, callers } from '../conformance/callers.js'
import type { Mode } from '../conformance/case.js'
import type { Section } from '../conformance/sections.js'
import type { CaseResult, Report } from '../conformance/verify.js'
import { exitCodeOf } from '../store/end-by-signal.js'
import { addCommand } from './define-command.js'
import { writeAtomically } from './files.js'
import { jsonOption, parseUrl } from './options.js'
import type { Columns } from './output/columns.js'
import { ignoreClosedOutput, printError, printMessage } from './output/output.js'
import { pluralize } from './output/pluralize.js'
import { Interrupted, watchSignals } from './signals.js'
import { Failure, UserError } from './user-error.js'

export const define = (verify: Command) =>
  addCommand(verify, '[url]', {
    about: 'Check a running service against the interface, with the cases of the test suite.',
    args: [new Argument('[url]', 'the address of the service').argParser(parseUrl)],
    options: [
      new Option('--cookie <who=value>', 'a session cookie and its caller; may be repeated')
        .argParser(addCookie)
        .default(new Map(), "none; for a mock, the demo's personas"),
      ['--host-cookie', 'the session cookie is named __Host-session'],
      new Option('--mode <mode>', 'the mode that the service must have (default: detected)').choices(modes),
      ['--write', 'also play the cases that create and change projects; what they create stays'],
      [
        '--team <id>',
        'with --write, the id of a team that may be written to; may be repeated; only a mock needs none',
        addTeam,
      ],
      ['--interface-only', 'skip the cases of decisions that the interface leaves open'],
      ['--only <text>', 'play the cases whose title, requirement or section contains a text'],
      ['--list', 'list the cases, and send nothing'],
      ['--junit <file>', 'write a JUnit report to a file'],
      jsonOption(),
    ],
    notes: callersHelp + exitCodesHelp,
    examples: [
      'http://localhost:4010',
      'https://api.example.com --mode production --cookie owner=$COOKIE --junit report.xml',
      'https://api.example.com --write --team $TEAM --cookie owner=$COOKIE',
    ],
    run: verifyUrl,
  })

const modes: Mode[] = ['mock', 'production']

async function verifyUrl({ url, cookie: cookies, team: teams, mode, only, list, ...given }: OptionValues) {
  const { write = false, interfaceOnly = false, hostCookie: hasHostCookie, junit: file } = given
  const sections = await chosenSections(only)
  if (list) return showCases(sections)
  if (url === undefined) throw new UserError('The address of the service is missing.', 'See --help.')
  if (teams && !write) throw new UserError('--team needs --write.', 'Without --write nothing is written.')
  const [{ verify, DeploymentError }, { junit }] = await Promise.all([
    import('../conformance/verify.js'),
    import('../conformance/junit.js'),
  ])
  if (write) ignoreClosedOutput()
  const signal = watchSignals()
  signal.addEventListener('abort', () => void giveUp(signal.reason))
  const report = await verify({
    ...{ url, cookies, write, interfaceOnly, hasHostCookie, sections, signal, mode, teams },
    // The progress of the run, in a pipe too.
    onSection: (name, results) => printMessage(`${name}: ${countsOf(results)}`),
  }).catch((error) => {
    throw error instanceof DeploymentError ? new UserError(error.message, error.hint) : error
  })
  if (file !== undefined) await writeAtomically(file, [junit(report)])
  return { ...describeReport(report), failure: failureOf(report, signal) }
}

/** How long the request or the case in progress may take after a signal, in milliseconds. */
const graceMs = 5_000

async function giveUp(signal: NodeJS.Signals): Promise<void> {
  await setTimeout(graceMs, undefined, { ref: false })
  printError(
    `error: The run was interrupted, and had not ended after ${graceMs / 1000} s, so there is no report.`,
  )
  process.exit(exitCodeOf(signal))
}

function failureOf({ url, results }: Report, signal: AbortSignal): UserError | undefined {
  if (signal.aborted)
    return new Interrupted(signal.reason, 'The run was interrupted: not every case has run.')
  if (withOutcome(results, 'failed').length > 0) return new Failure(`${url} violates the interface.`)
  if (withOutcome(results, 'passed').some(({ exchanges }) => exchanges.length > 0)) return undefined
  return new UserError('No case could be run.', 'The messages above say what each case needs.')
}

const callersHelp = `\nCallers of --cookie; cases that need another caller are skipped:\n${callerNames
  .map((name) => `  ${name.padEnd(16)} ${callers[name].is}\n`)
  .join('')}
Without --write only GET and HEAD requests are sent. With --write, the cases create projects under names of their own and
change those alone; they stay, since the interface cannot delete projects, and so do the addresses on the waitlist, which
are under domains reserved for examples. The report lists both. Each team of a caller must be named with --team, unless the
service is a mock.`

const exitCodesHelp = `
Exit codes: 0 if no case failed, 1 if a case failed, 2 if the service could not be verified with these options (its
address, the cookies, the teams, or no case that could be run), 130 or 143 if the run was interrupted.`

/** The cases whose section, title or requirement contains a text, without regard to case. */
async function chosenSections(only = ''): Promise<Section[]> {
  const { sections } = await import('../conformance/sections.js')
  const has = (...texts: string[]) => texts.some((text) => text.toLowerCase().includes(only.toLowerCase()))
  const chosen = sections
    .map(({ name, cases }) => ({
      name,
      cases: cases.filter(({ title, requirement }) => has(name, title, requirement)),
    }))
    .filter(({ cases }) => cases.length > 0)
  if (chosen.length > 0) return chosen
  throw new UserError(`No case has the text "${only}".`, 'Run with --list to see the cases.')
}

function showCases(chosen: readonly Section[]) {
  const rows = chosen.flatMap(({ name, cases }) =>
    cases.map(({ title, requirement, mode, write = false }) => ({
      section: name,
      title,
      requirement,
      mode,
      write,
    })),
  )
  type Row = (typeof rows)[number]
  const columns: Columns<Row> = {
    Section: 'section',
    Needs: ({ write, mode }) => [write && '--write', mode].filter(Boolean).join(', '),
    Title: { value: 'title', minWidth: 8 },
    Requirement: { value: 'requirement', minWidth: 8 },
  }
  return { table: { name: 'cases', columns, rows, emptyText: 'There is no case.' } }
}

const outcomes = ['passed', 'failed', 'skipped'] as const

const withOutcome = (results: readonly CaseResult[], outcome: CaseResult['outcome']) =>
  results.filter((result) => result.outcome === outcome)

/** How many results have each outcome: `3 passed, 0 failed, 1 skipped`. */
const countsOf = (results: readonly CaseResult[]) =>
  outcomes.map((outcome) => `${withOutcome(results, outcome).length} ${outcome}`).join(', ')

const addTeam = (id: string, ids: readonly string[] = []): readonly string[] => [...ids, id]

function addCookie(value: string, cookies: ReadonlyMap<Caller, string>): Map<Caller, string> {
  const [, who = '', cookie = ''] = value.match(/^([\w-]+)=(.+)$/s) ?? []
  const caller = callerNames.find((name) => name === who)
  if (!caller || /[\r\n]/.test(cookie)) {
    // The message of an InvalidArgumentError has the value, and with it the cookie.
    throw new UserError(
      '--cookie takes WHO=VALUE.',
      `WHO is one of ${callerNames.join(', ')}; VALUE is the value of the cookie.`,
    )
  }
  return new Map(cookies).set(caller, `session=${cookie.replace(/^(__Host-)?session=/, '')}`)
}

const columns: Columns<CaseResult> = {
  Outcome: 'outcome',
  Requests: { value: ({ exchanges }) => exchanges.length, minWidth: 8 },
  Title: { value: 'title', minWidth: 8 },
  Requirement: { value: 'requirement', minWidth: 8 },
}

/** How many of the records that stay are named. */
const mostShown = 10

function describeReport(report: Report) {
  const { results, leftBehind, mode, modeReason } = report
  const passed = withOutcome(results, 'passed')
  const failed = withOutcome(results, 'failed')
  const skipped = withOutcome(results, 'skipped')
  const reasons = new Map<string, number>()
  for (const { reason = '' } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const { projects, addresses } = leftBehind
  const ids = projects.map(({ caller, id }) => `${id} of ${caller}`)
  const left = (count: string, all: string[]) => {
    const more = all.length > mostShown ? `, and ${all.length - mostShown} more (--json has all)` : ''
    return all.length > 0 ? [`left behind: ${count}: ${all.slice(0, mostShown).join(', ')}${more}`] : []
  }
  return {
    data: { ...report, passed: passed.length, failed: failed.length, skipped: skipped.length },
    table: { columns, rows: [...passed, ...failed], emptyText: 'No case could be run.' },
    hints: [
      ...failed.flatMap(({ title, requirement, failure }) => [
        `failed: ${title} (${requirement})`,
        `  ${failure}`,
      ]),
      ...[...reasons].map(([reason, count]) => `skipped ${count}: ${reason}`),
      ...left(pluralize(ids.length, 'project'), ids),
      ...left(pluralize(addresses.length, 'address', 'addresses'), addresses),
      `${countsOf(results)} (${mode} mode: ${modeReason})`,
    ],
  }
}
