import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noShell, rewriteForFolder, runBlocks } from '../docs/run-blocks.js'
import { type ShellBlock, shellBlocksOf } from '../docs/shell-blocks.js'

/** A block by its page and the beginning of its first line. */
type Named = { page: string; begins: string }

type Run = Named & {
  /** Commands before and after the block, which the page describes in words. */
  before?: string
  after?: string
  /** Texts of the output, in this order. */
  output: RegExp
}

/** The blocks in the order in which they run, with one shell, one mock and one database. */
const run: Run[] = [
  {
    page: 'README.md',
    begins: 'curl -i http://localhost:4010/v1/projects',
    output:
      /AUTH_REQUIRED.*"projects":\[\{.*"role":"viewer".*"name":"Roadmap".*"status":"ok".*SERVICE_UNAVAILABLE/s,
  },
  {
    page: 'docs/mock-controls.md',
    begins: 'npx dashboard-api mock scenario set createProject',
    output: /PROJECT_NAME_TAKEN.*listProjects.*"code":"INTERNAL_ERROR"/s,
  },
  // Runs before the reset, which empties the log.
  {
    page: 'docs/mock-controls.md',
    begins: 'npx dashboard-api mock log rewind 1',
    before: `curl http://localhost:4010/v1/waitlist -H 'content-type: application/json' -d '{"email":"a@b.example"}'`,
    output:
      /Went back to before GET .*Undone: went back to before GET .*Made again: went back to before GET /s,
  },
  {
    page: 'docs/mock-controls.md',
    begins: 'npx dashboard-api mock persona add initech-boss',
    after: 'npx dashboard-api reset',
    output: /The persona initech-boss was added.*Roadmap.*paused.*4 records were changed.*Wrote mine\.json/s,
  },
  {
    page: 'docs/mock-controls.md',
    begins: 'npx dashboard-api mock scenario set listProjects --body',
    before: `echo '{"projects":[]}' > projects.json; echo '<h1>Bad gateway</h1>' > page.html`,
    after: 'curl http://localhost:4010/v1/projects; npx dashboard-api mock scenario clear',
    output:
      /\tresponse 200\t.*\tunchecked response 200\t.*\tunchecked response 502\t.*<h1>Bad gateway<\/h1>/s,
  },
  {
    page: 'docs/mock-controls.md',
    begins: 'npx dashboard-api mock chaos set',
    after: 'npx dashboard-api mock chaos clear',
    output: /all\t0\.1\t200-2000\t7\t.*createProject\t0\.5\t.*SERVICE_UNAVAILABLE drop\n/s,
  },
  {
    page: 'docs/mock-controls.md',
    begins: 'curl http://localhost:4010/__dev/scenarios/possible',
    output: /"createProject".*"target":"empty".*"ok":true/s,
  },
  {
    page: 'docs/mock.md',
    begins: 'npx dashboard-api session use',
    before: 'for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do curl http://localhost:4010/v1/projects; done',
    output: /PROJECT_NAME_TAKEN.*200-800.*before.*curl /s,
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npx dashboard-api init public',
    before: 'mkdir public',
    output: /mockServiceWorker\.js/,
  },
  {
    page: 'README.md',
    begins: 'export DASHBOARD_API_SESSION_SECRET=',
    after: 'npx dashboard-api session list --database data/dashboard.db',
    output: /listens at .*ada@acme\.example/s,
  },
  {
    page: 'docs/sign-in.md',
    begins: 'DASHBOARD_API_PUBLIC_URL=',
    before: 'set -a',
    after: 'dashboard-api config; dashboard-api config --check',
    output: /OIDC_CLIENT_ID\tenvironment\tdashboard\n.*Every setting is valid/s,
  },
]

/** Lines of these blocks that are not run. */
const withoutLines = [
  { line: /^npx dashboard-api session use +#.*$/m, reason: 'it needs a terminal: test/cli/terminal' },
  { line: /^npx dashboard-api mock log --follow.*$/m, reason: 'it does not end: test/cli/mock' },
]

const notRun: (Named & { reason: string })[] = [
  {
    page: 'docs/mock.md',
    begins: 'mkcert localhost',
    reason: 'it needs mkcert: test/cli/mock/certificate.test.ts',
  },
  { page: 'README.md', begins: 'npm ci && npm run dev', reason: 'it runs all tests' },
  { page: 'README.md', begins: 'npm ci && npm run build', reason: 'it is what this test needs' },
  { page: 'CONTRIBUTING.md', begins: 'npm ci ', reason: 'it is what this test needs' },
  { page: 'CONTRIBUTING.md', begins: 'npm run test:quick', reason: 'it runs this test' },
  { page: 'docs/contributing.md', begins: 'UPDATE=1 npx vitest', reason: 'it changes the repository' },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npm install -D dashboard-api msw @playwright/test',
    reason: 'it installs from the registry',
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npm install -D dashboard-api msw msw-storybook-addon',
    reason: 'npm run check:storybook runs it',
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npx vitest run --root',
    reason: 'test/examples/vitest.test.ts does',
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npm install -D dashboard-api vitest',
    reason: 'it installs from the registry',
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npm install -D dashboard-api jest',
    reason: 'npm run check:examples -- jest does',
  },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'node --experimental',
    reason: 'npm run check:examples -- jest does',
  },
  { page: 'docs/mock-set-ups.md', begins: 'npm run check:examples', reason: 'it installs from the registry' },
  {
    page: 'docs/mock-set-ups.md',
    begins: 'npm install dashboard-api ',
    reason: 'npm run check:examples -- next does',
  },
  { page: 'examples/cluster/README.md', begins: 'npm ci', reason: 'test/examples/cluster.test.ts does' },
  { page: 'examples/cluster/README.md', begins: 'DASHBOARD_API_DATABASE', reason: 'the cluster prints it' },
  { page: 'examples/dashboard/README.md', begins: 'npm ci', reason: 'test/examples/dashboard.test.ts does' },
  { page: 'examples/playwright/README.md', begins: 'npm ci', reason: 'test/mock/playwright.test.ts does' },
  { page: 'examples/storybook/README.md', begins: 'npm install', reason: 'npm run check:storybook does' },
]

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  // The runbook has a separate test.
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== 'operations.md')
    .map((name) => `docs/${name}`),
  ...readdirSync('examples')
    .map((name) => `examples/${name}/README.md`)
    .filter((file) => existsSync(file)),
]
const isNamed = (page: string, { commands }: ShellBlock, named: readonly Named[]) =>
  named.some((each) => each.page === page && commands.startsWith(each.begins))

test.each(pages)('each block of commands in %s is run, or listed with a reason', (page) => {
  const unnamed = shellBlocksOf(page).filter((block) => !isNamed(page, block, [...run, ...notRun]))
  expect(unnamed.map(({ line, commands }) => `${page}:${line}: ${commands}`)).toEqual([])
})

test('each listed block is on a page', () => {
  const all = pages.flatMap((page) => shellBlocksOf(page).map((block) => ({ page, block })))
  const named = [...run, ...notRun].filter(
    (each) => !all.some(({ page, block }) => isNamed(page, block, [each])),
  )
  expect(named).toEqual([])
  const commands = all.map(({ block }) => block.commands).join('\n')
  expect(withoutLines.filter(({ line }) => !line.test(commands))).toEqual([])
})

describe.skipIf(noShell)(`the commands of the pages${noShell ? ` (skipped: ${noShell})` : ''}`, () => {
  let outputs: (string | undefined)[] = []
  const root = mkdtempSync(join(tmpdir(), 'pages-'))
  beforeAll(async () => {
    const rewrite = await rewriteForFolder(root)
    const startMock = `npx dashboard-api dev --strict-port --port 4010 --json >dev.log 2>&1 &
      trap "kill $!" EXIT
      export DASHBOARD_API_URL=http://localhost:4010
      curl --retry 9 --retry-connrefused $DASHBOARD_API_URL/v1/projects`
    const blocks = run.map(({ page, begins, before = '', after = '' }) => {
      const block = shellBlocksOf(page).find(({ commands }) => commands.startsWith(begins))
      const commands = withoutLines.reduce((all, { line }) => all.replace(line, ''), block?.commands ?? '')
      // Starts the program of a checkout: see test/docs/production-commands.test.ts.
      return rewrite(
        [before, commands, after].join('\n').replaceAll('node bin/dashboard-api.js ', 'npx dashboard-api '),
      )
    })
    const port = new URL(rewrite('https://api.example.com')).port
    outputs = (await runBlocks(root, [rewrite(startMock), ...blocks], { DASHBOARD_API_PORT: port })).slice(1)
  })
  afterAll(() => rmSync(root, { recursive: true }))

  test.for(run)('work as printed: $page, $begins', (block) => {
    expect(outputs[run.indexOf(block)]).toMatch(block.output)
  })
})
