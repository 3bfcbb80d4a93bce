import type { Mode } from '../../src/verify/cases/case.js'
import type { Target } from '../../src/verify/runner/target.js'
import { type Verdict, verifyChangedResponses, verifyMisbehaviours } from '../../test/verify/find-broken.js'
import { misbehaviours } from '../../test/verify/misbehaviours.js'
import { requestMutants } from '../../test/verify/request-mutants/all.js'

/** Runs the verifier against every broken server. Returns the results as a section, in short and whole, and the misses. */
export async function brokenServers(
  targets: Record<Mode, Target>,
): Promise<{ section: string; summary: string; claim: string; missed: Verdict[] }> {
  const changed = [
    ...(await verifyChangedResponses(targets.mock)),
    ...(await verifyChangedResponses(targets.production)),
  ]
  const ofRules = await verifyMisbehaviours(targets, misbehaviours)
  const ofRequests = await verifyMisbehaviours(targets, requestMutants)
  const all = [...changed, ...ofRules, ...ofRequests]
  return {
    claim: claimOf(all),
    section: section(all),
    summary: summary(all, {
      'a changed response': changed,
      'a rule that no single response shows': ofRules,
      'what only some requests show': ofRequests,
    }),
    missed: all.filter(({ caughtBy, reason }) => caughtBy === undefined && reason === undefined),
  }
}

/** What docs/decisions.md says too. */
const claimOf = (all: Verdict[]) =>
  `\`dashboard-api verify\` finds ${all.filter(isCaught).length.toLocaleString('en')} of ${all.length.toLocaleString('en')} servers with one fault each`

/** Finds the claim in a page. */
export const claimPattern = /`dashboard-api verify` finds [\d,]+ of [\d,]+ servers with one fault each/

const isCaught = ({ caughtBy }: Verdict) => caughtBy !== undefined

/** The kinds of faults that no case catches, by reason. */
function uncaughtByReason(all: Verdict[]): Map<string, Set<string>> {
  const reasons = new Map<string, Set<string>>()
  for (const { name, change = '', caughtBy, reason = 'Missed.' } of all)
    if (caughtBy === undefined)
      reasons.set(reason, (reasons.get(reason) ?? new Set()).add(`${name} ${change}`))
  return reasons
}

/** What was caught by kind, and how many were not, by reason. */
function summary(all: Verdict[], kinds: Record<string, Verdict[]>): string {
  const rows = Object.entries(kinds).map(
    ([kind, verdicts]) => `| ${kind} | ${verdicts.length} | ${verdicts.filter(isCaught).length} |`,
  )
  return `## Broken servers

${claimOf(all)}.

| fault | servers | caught |
|---|--:|--:|
${rows.join('\n')}

Kinds of faults that are not caught, by reason:

${[...uncaughtByReason(all)].map(([reason, { size }]) => `- ${size}: ${reason}\n`).join('')}`
}

/** Every server, with the case that finds it. */
const section = (all: Verdict[]): string => `## Broken servers

${claimOf(all)}. Each is a running mock or production server with one fault: a response that was changed (status, code, headers,
fields, their types, arrays), a rule that no single response shows, or a fault that only some requests show.

| fault | mode | case that finds it, or why none does |
|---|---|---|
${all
  .map(
    ({ name, change = '', mode, caughtBy, reason = 'Missed.' }) =>
      `| ${cell(`${name} ${change}`)} | ${mode} | ${cell(caughtBy ?? reason)} |`,
  )
  .join('\n')}
`

/** Text in a cell of a table. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
