import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noShell, notInstalled, rewriteForFolder, runBlocks } from '../docs/run-blocks.js'
import { missingLines, type ShellBlock, shellBlocksOf } from '../docs/shell-blocks.js'
import { noPostgres, openClient, serverUrl } from '../store/postgres/postgres-database.js'

const page = 'docs/operations.md'

/** The blocks that do not run, by the beginning of their first line. */
const notRun = {
  'npm install @opentelemetry': 'test/release/opentelemetry.test.ts does, with what it says',
  'systemctl stop dashboard-api litestream':
    'Litestream is not installed; test/release/litestream.test.ts restores a replica',
  'eval ': 'test/cli/completion.test.ts does, in each shell',
  'podman build': 'test/release/image.test.ts builds and starts the image',
  'install -d /etc/systemd/system/dashboard-api.service.d':
    'systemd reads it; test/package/backup-schedules.test.ts verifies it',
  'journalctl -u dashboard-api -o cat | grep \'"database":\'': 'what systemd has started by it',
}
const isRun = ({ commands }: ShellBlock) => !Object.keys(notRun).some((text) => commands.startsWith(text))

const all = shellBlocksOf(page)
const blocks = all.filter(isRun)

/** The situation before each section. */
const situations: Record<string, string> = {
  Erase: 'dashboard-api seed --demo',
  // The shell has the secret of the service, which has been rotated.
  'One user': `cookie=$(dashboard-api session issue --user vera@acme.example --organization org_acme --permissions "")
    curl --fail -b "session=$cookie" http://127.0.0.1:8080/v1/projects`,
  PostgreSQL: `printf %s "$TEST_PASSWORD" >/etc/dashboard-api/database-password`,
}

const missingForPostgres = noPostgres ?? notInstalled('createdb')
const ofPostgres = blocks.findIndex(({ heading }) => heading === 'PostgreSQL')
const runnable = missingForPostgres ? blocks.slice(0, ofPostgres) : blocks

/** A role of the PostgreSQL of the tests, and the name of a database that the page creates for it. */
const postgres = { name: `test_${randomUUID().replaceAll('-', '')}`, password: randomUUID() }
const { hostname, port, username, password } = new URL(serverUrl)
const host = `${hostname}:${port}`

async function queryPostgres(...statements: string[]): Promise<void> {
  const client = await openClient()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test(`every block of ${page} has commands, their output, a file, or code of an application`, () => {
  const fences = readFileSync(page, 'utf8').match(/^ *```.+$/gm) ?? []
  expect(fences.filter((fence) => !/^ *```(sh|text|ini|sql|yaml|ts)$/.test(fence))).toEqual([])
  expect(all.length - blocks.length).toBe(Object.keys(notRun).length)
})

describe.skipIf(noShell)(`the commands of ${page}${noShell ? ` (skipped: ${noShell})` : ''}`, () => {
  let rewrite = (text: string) => text
  let outputs: (string | undefined)[] = []
  const root = mkdtempSync(join(tmpdir(), 'runbook-'))
  beforeAll(async () => {
    const ofMachine = await rewriteForFolder(root)
    rewrite = (text) =>
      ofMachine(
        text
          // These commands need root.
          .replace(/^useradd .*$/m, ':')
          .replace(' -o dashboard-api ', ' ')
          .replace('runuser -u dashboard-api -- ', '')
          // TLS has separate tests.
          .replaceAll('sslmode=verify-full&sslrootcert=/etc/ssl/db.pem', 'sslmode=disable')
          .replaceAll('dashboard@db/dashboard', `${postgres.name}@${host}/${postgres.name}`)
          .replaceAll('--owner=dashboard', `--owner=${postgres.name}`)
          .replaceAll('template0 dashboard', `template0 ${postgres.name}`),
      )
    if (!missingForPostgres)
      await queryPostgres(`CREATE ROLE ${postgres.name} LOGIN PASSWORD '${postgres.password}'`)
    const ofPage = runnable.map(({ heading, commands }, i) => {
      const isFirst = blocks[i - 1]?.heading !== heading
      return rewrite([isFirst && situations[heading], commands].filter(Boolean).join('\n'))
    })
    outputs = await runBlocks(root, ofPage, {
      DASHBOARD_API_PORT: new URL(rewrite('https://api.example.com')).port,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      TEST_PASSWORD: postgres.password,
    })
  })
  afterAll(async () => {
    rmSync(root, { recursive: true })
    if (missingForPostgres) return
    await queryPostgres(`DROP DATABASE IF EXISTS ${postgres.name} WITH (FORCE)`, `DROP ROLE ${postgres.name}`)
  })

  test.for(blocks)('work as printed: $heading, line $line', (block, { skip }) => {
    skip(!runnable.includes(block), missingForPostgres)
    const output = outputs[runnable.indexOf(block)] ?? expect.fail('it was not run to its end')
    expect(missingLines(block.shown.map(rewrite), output), output).toEqual([])
  })
})
