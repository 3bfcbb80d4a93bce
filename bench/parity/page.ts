import { sourceCommit } from '../../scripts/commit.js'
import { cases } from '../../src/conformance/cases/cases.js'
import {
  type AllowedDifference,
  allowedDifferences,
  defaultDifferences,
} from '../../test/parity/allowed-differences.js'
import type { CaseOutcome, Environment, Row } from './matrix.js'

/** The comparison as a page of the docs: a row for each environment. */
export function shortPage(environments: Environment[], rows: Row[]): string {
  const totals = environments.map(({ name }) => {
    const skipped = rows.filter(({ outcomes }) => 'skipped' in (outcomes.get(name) ?? {})).length
    const differ = rows.filter((row) => row.differing.includes(name)).length
    const passed = cell(rows.map(({ outcomes }) => outcomes.get(name)))
    return `| ${name} | ${passed} | ${skipped} | ${differ === 0 ? 'yes' : `${differ} differ`} |`
  })
  return `# Parity

Written by \`npm run parity\` on ${new Date().toISOString().slice(0, 10)}, of commit ${sourceCommit().slice(0, 8)}, with the details in \`reports/parity.md\`.

The ${rows.length} cases of the conformance suite run in every environment, and the responses are compared: status, content type,
cache control, \`Allow\`, \`Retry-After\`, whether the session cookie is set or cleared, and the body, with new ids and times
normalised. The tests compare generated sequences of calls too (\`test/http-suite\`).

| environment | cases that pass | cannot run | same responses |
|---|---|---|---|
${totals.join('\n')}

${differencesSection()}
`
}

/** More of the comparison: a row for each requirement, and why cases cannot run. */
export function requirementsSection(environments: Environment[], rows: Row[]): string {
  const names = environments.map(({ name }) => name)
  const requirements = new Set(cases.map(({ requirement }) => requirement))
  const table = [...requirements].sort().map((requirement) => {
    const ownRows = rows.filter(({ testCase }) => testCase.requirement === requirement)
    const cells = names.map((name) => cell(ownRows.map(({ outcomes }) => outcomes.get(name))))
    const differ = ownRows.filter((row) => row.differing.length > 0).length
    return `| ${requirement} | ${cells.join(' | ')} | ${differ === 0 ? 'yes' : `${differ} differ`} |`
  })
  return `## Requirements

A cell has the number of cases that pass, and of those that can run there. Of the pages outside of \`/v1/\`, only status, content
type and cookie are compared. Where several responses are correct (concurrent requests, ids made of dots), responses are
checked but not compared.

| requirement | ${names.join(' | ')} | same |
|---|${names.map(() => '---|').join('')}---|
${table.join('\n')}

Cases that cannot run:

${names.flatMap((name) => skippedIn(name, rows)).join('\n')}
`
}

/** What differs between the dev server and production, with the table of all allowed differences. */
export const differencesSection = (): string => `## What differs

\`test/parity\` sends the same bytes to the dev server and to production, which have the same data, clock, ids and
allowed origins: the cases, generated sequences, and raw and hostile requests, more than 2,500 in all. Cases and sequences
are sent to production over PostgreSQL too. The responses are the same, except for \`Date\` and what this table lists. A
difference that it does not list fails the test, and so does an entry that no request needs. The controls of the mock (spaces, \`Prefer\`, \`/__dev/\`) are not sent.

${differencesTable(allowedDifferences)}

Without \`--allowed-origin\` and \`DASHBOARD_API_ALLOWED_ORIGINS\`, the defaults differ too:

${differencesTable(defaultDifferences)}`

const differencesTable = (differences: readonly AllowedDifference[]): string =>
  [
    '| responses | part | dev server | production | reason |',
    '|---|---|---|---|---|',
    ...differences.map(({ where, parts, mock, production, reason }) => {
      const names = parts?.map((name) => `\`${name}\``).join(', ') ?? 'all'
      return `| ${where} | ${names} | ${mock} | ${production} | ${reason} |`
    }),
  ].join('\n')

function cell(outcomes: (CaseOutcome | undefined)[]): string {
  const run = outcomes.flatMap((outcome) => (outcome && 'faults' in outcome ? [outcome] : []))
  if (run.length === 0) return '·'
  return `${run.filter(({ faults }) => faults.length === 0).length} of ${run.length}`
}

function skippedIn(name: string, rows: Row[]): string[] {
  const counts = new Map<string, number>()
  for (const { outcomes } of rows) {
    const outcome = outcomes.get(name)
    if (outcome && 'skipped' in outcome) counts.set(outcome.skipped, (counts.get(outcome.skipped) ?? 0) + 1)
  }
  return [...counts].map(
    ([reason, count]) => `- ${name}: ${count} ${count === 1 ? 'case' : 'cases'}, ${reason}`,
  )
}
