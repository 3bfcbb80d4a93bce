import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMachine, type Machine, noMachine, notInstalled } from '../docs/machine.js'
import { missingLines, type ShellBlock, shellBlocksOf } from '../docs/shell-blocks.js'
import { noPostgres, openClient, serverUrl } from '../store/postgres/postgres-database.js'

const page = 'docs/operations.md'

/** The blocks that are not run, by the beginning of their first line. */
const notRun = {
  'npm install @opentelemetry': 'test/release/opentelemetry.test.ts does, with what it says',
  'systemctl stop dashboard-api litestream':
    'Litestream is not installed; test/release/litestream.test.ts restores a replica',
  'eval ': 'test/cli/completion.test.ts does, in each shell',
}
const isRun = ({ commands }: ShellBlock) => !Object.keys(notRun).some((text) => commands.startsWith(text))

const all = shellBlocksOf(page)
const blocks = all.filter(isRun)

/** What happened before a reader comes to a section. */
const situations: Record<string, string> = {
  Erase: 'dashboard-api seed --demo',
  // The shell has the secret of the service, which was rotated.
  'One user': `cookie=$(dashboard-api session issue --user vera@acme.example --organization org_acme --permissions "")
    curl --fail -b "session=$cookie" http://127.0.0.1:8080/v1/projects`,
  PostgreSQL: `printf %s "$TEST_PASSWORD" >/etc/dashboard-api/database-password`,
}

const missingForPostgres = noPostgres ?? notInstalled('createdb')
const ofPostgres = blocks.slice(blocks.findIndex(({ heading }) => heading === 'PostgreSQL'))

/** A role of the PostgreSQL of the tests, and the name of a database that the page creates for it. */
const postgres = { name: `test_${randomUUID().replaceAll('-', '')}`, password: randomUUID() }
const { hostname, port, username, password } = new URL(serverUrl)
const host = `${hostname}:${port}`

async function queryPostgres(...statements: string[]): Promise<void> {
  const client = await openClient()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Container engines are not run: their arguments have to fit the Containerfile. */
function podman([verb, ...args]: string[]): string {
  const containerfile = readFileSync('Containerfile', 'utf8')
  if (verb === 'build') expect(args.at(-1)).toBe('.')
  else {
    expect(verb).toBe('run')
    expect(containerfile).toContain(`VOLUME ${args[args.indexOf('-v') + 1]?.split(':')[1]}`)
  }
  return ''
}

test(`every block of ${page} is commands, what they print, a file, or code of an application`, () => {
  const fences = readFileSync(page, 'utf8').match(/^ *```.+$/gm) ?? []
  expect(fences.filter((fence) => !/^ *```(sh|text|ini|sql|yaml|ts)$/.test(fence))).toEqual([])
  expect(all.length - blocks.length).toBe(Object.keys(notRun).length)
})

describe.skipIf(noMachine)(`the commands of ${page}${noMachine ? ` (skipped: ${noMachine})` : ''}`, () => {
  let machine: Machine
  let hasFailed = false
  beforeAll(async () => {
    if (!missingForPostgres) {
      await queryPostgres(`CREATE ROLE ${postgres.name} LOGIN PASSWORD '${postgres.password}'`)
    }
    machine = await createMachine({
      env: {
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
        TEST_PASSWORD: postgres.password,
      },
      replacements: [
        // TLS has tests of its own.
        ['sslmode=verify-full&sslrootcert=/etc/ssl/db.pem', 'sslmode=disable'],
        // In a unit of systemd a percent sign has a meaning of its own.
        ['dashboard@db/dashboard', `${postgres.name.replace('_', '%5F')}@${host}/${postgres.name}`],
        ['--owner=dashboard', `--owner=${postgres.name}`],
        ['template0 dashboard', `template0 ${postgres.name}`],
      ],
      standIns: { podman },
    })
  })
  afterAll(async () => {
    await machine?.close()
    if (missingForPostgres) return
    await queryPostgres(`DROP DATABASE IF EXISTS ${postgres.name} WITH (FORCE)`, `DROP ROLE ${postgres.name}`)
  })

  test.for(blocks)('work as printed: $heading, line $line', async (block, { skip }) => {
    const { heading, commands, shown } = block
    skip(hasFailed, 'an earlier block failed')
    skip(missingForPostgres !== undefined && ofPostgres.includes(block), missingForPostgres)
    hasFailed = true
    const isFirst = blocks.find((each) => each.heading === heading) === block
    if (isFirst && situations[heading]) await machine.run(situations[heading])
    const output = await machine.run(commands, shown)
    expect(missingLines(shown.map(machine.rewrite), output), output).toEqual([])
    hasFailed = false
  })
})
