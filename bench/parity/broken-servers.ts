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
    section: `${section(changed, ofRules, ofRequests).trimEnd()}\n`,
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
  for (const { name, change, caughtBy, reason = 'Missed.' } of all) {
    if (caughtBy !== undefined) continue
    const uncaught = change === undefined ? cell(name) : `${cell(name)}: ${cell(change)}`
    reasons.set(reason, (reasons.get(reason) ?? new Set()).add(uncaught))
  }
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

function section(changed: Verdict[], ofRules: Verdict[], ofRequests: Verdict[]): string {
  const all = [...changed, ...ofRules, ...ofRequests]
  const modes = new Map<string, Set<Mode>>()
  for (const { name, mode } of changed) modes.set(name, (modes.get(name) ?? new Set()).add(mode))
  const kinds = [...modes].map(([name, of]) => {
    const own = changed.filter((verdict) => verdict.name === name)
    const by = [...new Set(own.flatMap(({ caughtBy = [] }) => caughtBy))]
    return `| ${cell(name)} | ${[...of].join(', ')} | ${own.filter(isCaught).length} of ${own.length} | ${by.map(cell).join('; ')} |`
  })
  return `## Broken servers

${claimOf(all)}. Most are generated: for each kind of response,
other statuses and codes, headers left out or changed, and each field removed, renamed, of another type, null, empty or
another string, each object with another field, each array empty, shorter, longer or reversed. Others break a rule that
no single response shows. ${ofRequests.length.toLocaleString('en')} of them answer as they should, except where a request meets a condition: it has a certain
query parameter, header, method, path, cookie, id, body or text, its caller has certain permissions, or it comes after or
together with certain others. Behind each is a running mock or production server.

| response | modes | caught | cases that catch a change |
|---|---|---|---|
${kinds.join('\n')}

| misbehaviour | mode | case that catches it |
|---|---|---|
${ofRules
  .filter(isCaught)
  .map(({ name, mode, caughtBy = '' }) => `| ${cell(name)} | ${mode} | ${cell(caughtBy)} |`)
  .join('\n')}

### Faults that only some requests show

| case that catches them | servers |
|---|---|
${byCase(ofRequests.filter(isCaught))}

### What is not caught

${[...uncaughtByReason(all)].map(([reason, uncaught]) => `- ${reason}\n${[...uncaught].map((each) => `  - ${each}\n`).join('')}`).join('')}`
}

/** A row for each case that catches servers. */
function byCase(caught: Verdict[]): string {
  const names = new Map<string, string[]>()
  for (const { name, caughtBy = '' } of caught)
    names.set(caughtBy, [...(names.get(caughtBy) ?? []), cell(name)])
  return [...names].map(([title, servers]) => `| ${cell(title)} | ${servers.join('; ')} |`).join('\n')
}

/** Text in a cell of a table. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
