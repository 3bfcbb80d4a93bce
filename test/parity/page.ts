import { cases } from '../../src/conformance/sections.js'
import { type AllowedDifference, allowedDifferences, defaultDifferences } from './allowed-differences.js'

const ofMode = (mode: string) => cases.filter((testCase) => (testCase.mode ?? mode) === mode).length

/** docs/parity.md: where the cases run, and the differences between the modes. */
export const parityPage = (): string => `# Parity

The conformance suite has ${cases.length} cases: ${ofMode('mock')} for the mock and ${ofMode('production')} for production. Every test run plays them:

| environment | cases | test |
|---|---|---|
| production over SQLite | ${ofMode('production')} | \`test/conformance/production.test.ts\` |
| production over PostgreSQL | ${ofMode('production')} | \`test/conformance/production-postgres.test.ts\` |
| the plugin in a Fastify application | ${ofMode('production')} | \`test/conformance/plugin.test.ts\` |
| the dev server | ${ofMode('mock')} | \`test/conformance/dev-server.test.ts\` |
| MSW in Node | ${ofMode('mock')} | \`test/conformance/interceptor.test.ts\` |
| the worker in a page | ${ofMode('mock')} | \`test/conformance/worker.test.ts\` |

Cases that a fetch client cannot send, whose response a page cannot see, or whose path an application answers before its
plugins, are skipped; the output of the test has the reason.

## What differs

\`test/parity\` sends the same bytes to the dev server and to production, which have the same data, clock, ids and allowed
origins: the cases, generated sequences, and bytes that no client sends. Sequences are sent to production over PostgreSQL
too. The responses are the same, except for \`Date\` and what this table lists. A difference that it does not list
fails the test, and so does an entry that no request needs. The controls of the mock (spaces, \`Prefer\`, \`/__dev/\`) are not sent.

${differencesTable(allowedDifferences)}

Without \`--allowed-origin\` and \`DASHBOARD_API_ALLOWED_ORIGINS\`, the defaults differ too:

${differencesTable(defaultDifferences)}
`

const differencesTable = (differences: readonly AllowedDifference[]): string =>
  [
    '| responses | part | dev server | production | reason |',
    '|---|---|---|---|---|',
    ...differences.map(({ where, parts, mock, production, reason }) => {
      const names = parts?.map((name) => `\`${name}\``).join(', ') ?? 'all'
      return `| ${where} | ${names} | ${mock} | ${production} | ${reason} |`
    }),
  ].join('\n')
