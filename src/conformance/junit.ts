import type { CaseResult, Report } from './verify.js'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML and replaces the characters that XML 1.0 does not allow. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (char) => escapes[char] ?? char)

/** A report as JUnit XML, which CI systems read. */
export function junit({ url, results }: Report): string {
  const count = (outcome: CaseResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1000
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="${xml(`dashboard-api verify ${url}`)}" tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}" errors="0" time="${seconds}">
${results.map(testcase).join('\n')}
</testsuite>
</testsuites>
`
}

function testcase({ title, requirement, outcome, failure, reason, ms }: CaseResult): string {
  const inner = {
    passed: '',
    failed: `<failure message="${xml(failure ?? '')}"/>`,
    skipped: `<skipped message="${xml(reason ?? '')}"/>`,
  }[outcome]
  return `<testcase classname="${xml(requirement)}" name="${xml(title)}" time="${ms / 1000}">${inner}</testcase>`
}
