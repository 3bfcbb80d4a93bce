import { requirements } from '../../src/verify/cases/requirements.js'
import type { Environment, CaseOutcome, Row, Sequences } from './matrix.js'

/** The matrix as a page of the docs. */
export function parityPage(places: Environment[], rows: Row[], { count, calls, seed, unlike }: Sequences): string {
  const names = places.map(({ name }) => name)
  const table = requirements.map((point) => {
    const its = rows.filter(({ one }) => one.requirement === point)
    const cells = names.map((name) => cell(its.map(({ played }) => played.get(name))))
    const differing = its.filter((row) => row.unlike.length > 0).length
    return `| ${point} | ${cells.join(' | ')} | ${differing === 0 ? 'yes' : `${differing} differ`} |`
  })
  const reasons = names.flatMap((name) => skippedIn(name, rows))
  return `# Parity

One table of ${rows.length} cases is played wherever the service runs, and the answers are compared: status, content type, cache
control, \`Allow\`, \`Retry-After\`, whether the session cookie is set or cleared, and the body, with new ids and times
put alike; of the pages outside of \`/v1/\`, status, content type and cookie. A cell says how many cases are kept, of those that can be played there. Made by \`npm run parity\`.

| what is relied on | ${names.join(' | ')} | alike |
|---|${names.map(() => '---|').join('')}---|
${table.join('\n')}
| **${count} generated sequences**, ${calls} calls (seed ${seed}) | ${names.map((name) => (unlike.includes(name) ? 'differs' : 'alike')).join(' | ')} | ${unlike.length === 0 ? 'yes' : 'no'} |

Cases of the mock's own, or of production's, are counted where they belong. Where more than one answer is right
(requests sent at the same time, ids made of dots), answers are judged, and not compared.

## What cannot be played

${reasons.join('\n')}
`
}

function cell(outcomes: (CaseOutcome | undefined)[]): string {
  const played = outcomes.flatMap((outcome) => (outcome && 'faults' in outcome ? [outcome] : []))
  if (played.length === 0) return '·'
  return `${played.filter(({ faults }) => faults.length === 0).length} of ${played.length}`
}

function skippedIn(name: string, rows: Row[]): string[] {
  const counts = new Map<string, number>()
  for (const { played } of rows) {
    const outcome = played.get(name)
    if (outcome && 'skipped' in outcome) counts.set(outcome.skipped, (counts.get(outcome.skipped) ?? 0) + 1)
  }
  return [...counts].map(
    ([reason, count]) => `- ${name}: ${count} ${count === 1 ? 'case' : 'cases'}, ${reason}`,
  )
}
