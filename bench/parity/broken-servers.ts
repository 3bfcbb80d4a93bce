import type { Mode } from '../../src/verify/cases/case.js'
import type { Target } from '../../src/verify/runner/target.js'
import { type Verdict, verifyChangedResponses, verifyMisbehaviours } from '../../test/verify/find-broken.js'

/** Runs the verifier against every broken server. Returns the results as a section of the page, and the misses. */
export async function brokenServers(
  targets: Record<Mode, Target>,
): Promise<{ section: string; missed: Verdict[] }> {
  const changed = [
    ...(await verifyChangedResponses(targets.mock)),
    ...(await verifyChangedResponses(targets.production)),
  ]
  const misbehaviours = await verifyMisbehaviours(targets)
  const all = [...changed, ...misbehaviours]
  return {
    section: `${section(changed, misbehaviours).trimEnd()}\n`,
    missed: all.filter(({ caughtBy, reason }) => caughtBy === undefined && reason === undefined),
  }
}

const isCaught = ({ caughtBy }: Verdict) => caughtBy !== undefined

function section(changed: Verdict[], misbehaviours: Verdict[]): string {
  const all = [...changed, ...misbehaviours]
  const modes = new Map<string, Set<Mode>>()
  for (const { name, mode } of changed) modes.set(name, (modes.get(name) ?? new Set()).add(mode))
  const kinds = [...modes].map(([name, of]) => {
    const own = changed.filter((verdict) => verdict.name === name)
    const by = [...new Set(own.flatMap(({ caughtBy = [] }) => caughtBy))]
    return `| ${cell(name)} | ${[...of].join(', ')} | ${own.filter(isCaught).length} of ${own.length} | ${by.map(cell).join('; ')} |`
  })
  const reasons = new Map<string, Set<string>>()
  for (const { name, change, caughtBy, reason = 'Missed.' } of all) {
    if (caughtBy !== undefined) continue
    const uncaught = change === undefined ? cell(name) : `${cell(name)}: ${cell(change)}`
    reasons.set(reason, (reasons.get(reason) ?? new Set()).add(uncaught))
  }
  return `## Broken servers

\`dashboard-api verify\` finds ${all.filter(isCaught).length.toLocaleString('en')} of ${all.length.toLocaleString('en')} servers with one fault each. Most are generated: for each kind of response,
other statuses and codes, headers left out or changed, and each field removed, renamed, of another type, null, empty or
another string, each object with another field, each array empty, shorter, longer or reversed. The others break a rule
that no single response shows. Behind each is a running mock or production server.

| response | modes | caught | cases that catch a change |
|---|---|---|---|
${kinds.join('\n')}

| misbehaviour | mode | case that catches it |
|---|---|---|
${misbehaviours
  .filter(isCaught)
  .map(({ name, mode, caughtBy = '' }) => `| ${cell(name)} | ${mode} | ${cell(caughtBy)} |`)
  .join('\n')}

### What is not caught

${[...reasons].map(([reason, uncaught]) => `- ${reason}\n${[...uncaught].map((each) => `  - ${each}\n`).join('')}`).join('')}`
}

/** Text in a cell of a table. */
const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
