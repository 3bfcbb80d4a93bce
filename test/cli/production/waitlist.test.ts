import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import { writeWhole } from '../../../src/cli/actions/write-whole.js'
import { emptyFolder, run } from '../cli-process.js'

/** A database whose waitlist has these addresses, the last one the newest. */
async function waitlistOf(...addresses: string[]) {
  const folder = emptyFolder()
  const database = `${folder}/waitlist.db`
  await run(['seed', '--database', database])
  const waitlist = (command: string, ...args: string[]) =>
    run(['waitlist', command, '--database', database, ...args])
  for (const address of addresses) await waitlist('add', '--', address)
  return { folder, waitlist }
}

const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/

describe('dashboard-api waitlist', () => {
  test('adds and removes addresses, trimmed and lower-cased, and says what was there', async () => {
    const { waitlist } = await waitlistOf()
    const answer = async (...args: [string, ...string[]]) =>
      JSON.parse((await waitlist(...args, '--json')).stdout)
    expect(await answer('add', '  Ada@Example.COM ')).toEqual({ email: 'ada@example.com', added: true })
    expect(await answer('add', 'ada@example.com')).toEqual({ email: 'ada@example.com', added: false })
    expect(await answer('list')).toEqual({
      waitlist: [{ email: 'ada@example.com', createdAt: expect.stringMatching(time) }],
    })
    expect(await answer('remove', 'ADA@example.com')).toEqual({ email: 'ada@example.com', removed: true })
    expect(await answer('remove', 'ada@example.com')).toEqual({ email: 'ada@example.com', removed: false })
    expect(await waitlist('list')).toMatchObject({ code: 0, stdout: 'Email\tSince\n' })
  })

  test.each(['add', 'remove'])('refuses to %s what is not an address', async (command) => {
    const { waitlist } = await waitlistOf()
    const { code, stdout, stderr } = await waitlist(command, 'ada at example')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('"ada at example" is not an email address.')
  })

  test('exports CSV with CRLF, and makes formulas harmless', async () => {
    const { waitlist } = await waitlistOf('ada@example.com', '+1@example.com', '-1@example.com')
    const { code, stdout, stderr } = await waitlist('export')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\r\n')
    expect(lines.map((line) => line.replace(time, 'TIME'))).toEqual([
      'email,createdAt',
      "'-1@example.com,TIME",
      "'+1@example.com,TIME",
      'ada@example.com,TIME',
      '',
    ])
  })

  test('exports JSON and NDJSON with the addresses as they are', async () => {
    const { waitlist } = await waitlistOf('ada@example.com', '+1@example.com')
    const entries = ['+1@example.com', 'ada@example.com'].map((email) => ({
      email,
      createdAt: expect.stringMatching(time),
    }))
    expect(JSON.parse((await waitlist('export', '--format', 'json')).stdout)).toEqual(entries)
    const lines = (await waitlist('export', '--format', 'ndjson')).stdout.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries)
  })

  test('exports to a file that takes the place of the old one, and leaves nothing beside it', async () => {
    const { folder, waitlist } = await waitlistOf('ada@example.com')
    mkdirSync(`${folder}/out`)
    writeFileSync(`${folder}/out/list.ndjson`, 'old')
    const output: [string, ...string[]] = [
      'export',
      '--format',
      'ndjson',
      '--output',
      `${folder}/out/list.ndjson`,
    ]
    expect(await waitlist(...output)).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(`${folder}/out/list.ndjson`, 'utf8')).toMatch(/^\{"email":"ada@example\.com".*\}\n$/)
    expect(readdirSync(`${folder}/out`)).toEqual(['list.ndjson'])
  })

  test('refuses to export to where no file can be', async () => {
    const { folder, waitlist } = await waitlistOf()
    const nowhere = await waitlist('export', '--output', `${folder}/none/list.csv`)
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such folder') })
    const onFolder = await waitlist('export', '--output', folder)
    expect(onFolder).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a file') })
  })
})

/** A database with these entries, and commands on its waitlist. */
async function imported(entries: { email: string; createdAt: string }[]) {
  const { folder, waitlist } = await waitlistOf()
  writeFileSync(`${folder}/entries.json`, JSON.stringify(entries))
  await waitlist('import', `${folder}/entries.json`)
  return { folder, waitlist }
}

const day = (number: number, time = '12:00:00.000') => `2026-03-0${number}T${time}Z`
const several = [
  { email: 'ada@example.com', createdAt: day(1, '00:00:00.000') },
  { email: 'max@example.com', createdAt: day(2, '23:59:59.999') },
  { email: '+1@acme.example', createdAt: day(3) },
]

describe('dashboard-api waitlist, in parts', () => {
  test('lists what is searched for, and what joined in a time', async () => {
    const { waitlist } = await imported(several)
    const names = async (...args: string[]) =>
      JSON.parse((await waitlist('list', '--json', ...args)).stdout).waitlist.map(
        ({ email }: { email: string }) => email.split('@')[0],
      )
    expect(await names()).toEqual(['+1', 'max', 'ada'])
    expect(await names('--search', '@EXAMPLE')).toEqual(['max', 'ada'])
    expect(await names('--since', '2026-03-02')).toEqual(['+1', 'max'])
    expect(await names('--until', '2026-03-02')).toEqual(['max', 'ada'])
    expect(await names('--since', '2026-03-02', '--until', '2026-03-02')).toEqual(['max'])
    expect(await names('--until', '2026-03-02T23:59:59.999Z')).toEqual(['ada'])
    expect(await names('--since', '2026-03-03T14:00:00+02:00')).toEqual(['+1'])
  })

  test.each(['yesterday', '2026-02-30', '2026-3-1', '2026-03-01T12:00'])(
    'refuses the time %j',
    async (time) => {
      const { code, stderr } = await run(['waitlist', 'list', '--since', time])
      expect(code).toBe(2)
      expect(stderr).toContain('Expected a day or a time such as 2026-01-31')
    },
  )

  test('counts per day and per domain', async () => {
    const { waitlist } = await imported([...several, { email: 'zoe@example.com', createdAt: day(3) }])
    expect(JSON.parse((await waitlist('stats', '--json')).stdout)).toEqual({
      total: 4,
      days: [
        { day: '2026-03-01', count: 1 },
        { day: '2026-03-02', count: 1 },
        { day: '2026-03-03', count: 2 },
      ],
      domains: [
        { domain: 'example.com', count: 3 },
        { domain: 'acme.example', count: 1 },
      ],
    })
    expect((await waitlist('stats', '--until', '2026-03-01')).stdout).toBe(
      'By\tOf\tAddresses\nday\t2026-03-01\t1\ndomain\texample.com\t1\n',
    )
  })

  test.each(['csv', 'json', 'ndjson'])('reads again what it exported as %s', async (format) => {
    const { folder, waitlist } = await imported(several)
    const file = `${folder}/list.${format}`
    expect((await waitlist('export', '--format', format, '--output', file)).stderr).toBe(
      `Wrote 3 addresses to ${file}.\n`,
    )
    const before = (await waitlist('list', '--json')).stdout
    for (const { email } of several) await waitlist('remove', '--', email)
    expect(await waitlist('import', file)).toMatchObject({
      code: 0,
      stdout: 'Added\t3\nKnown\t0\nRefused\t0\n',
    })
    expect((await waitlist('list', '--json')).stdout).toBe(before)
  })
})

describe('dashboard-api waitlist import', () => {
  const files = {
    csv: '\uFEFFName,Email\r\nA,ada@example.com\r\n\r\nB,not an address\r\nC, ADA@example.com \r\nD\r\n',
    ndjson: '"ada@example.com"\n{"email":5}\n\n{"email":"ada@example.com"}\n{\n',
    json: '["ada@example.com", {"email":"b"}, {"email":"ada@example.com","createdAt":"now"}, "ada@example.com"]',
  }
  const faults = {
    csv: ['line 4: no email address', 'line 6: no email address'],
    ndjson: ['line 2: no email address', 'line 5: not JSON'],
    json: ['entry 2: no email address', 'entry 3: createdAt is not a time such as 2026-01-31T12:00:00.000Z'],
  }

  test.each(['csv', 'ndjson', 'json'] as const)(
    'of %s is refused as a whole with each bad line, unless those are skipped',
    async (format) => {
      const { folder, waitlist } = await waitlistOf()
      const file = `${folder}/in.${format}`
      writeFileSync(file, files[format])
      const refused = await waitlist('import', file)
      expect(refused).toMatchObject({ code: 2, stdout: 'Added\t0\nKnown\t0\nRefused\t2\n' })
      expect(refused.stderr.split('\n').slice(0, 2)).toEqual(faults[format])
      expect(refused.stderr).toContain('error: Nothing was added: 2 lines of')
      expect((await waitlist('list')).stdout).toBe('Email\tSince\n')

      const skipped = await waitlist('import', file, '--skip-invalid', '--json')
      expect(skipped.code).toBe(0)
      expect(JSON.parse(skipped.stdout)).toEqual({
        added: 1,
        known: 1,
        refused: faults[format].map((fault) => {
          const [place, reason] = fault.split(': ')
          return { place, reason }
        }),
      })
      expect((await waitlist('list')).stdout).toMatch(/^Email\tSince\nada@example\.com\t[^\n]*\n$/)
    },
  )

  test.each([
    [['none.csv'], /there is no such file/],
    [['.', '--format', 'csv'], /it is a folder/],
    [['list.txt'], /does not say what it holds\.\nhint: Add --format with one of: csv, json, ndjson/],
    [['/dev/null', '--format', 'json'], /not an array/],
  ])('refuses %j', async (args, message) => {
    const { waitlist } = await waitlistOf()
    const { code, stdout, stderr } = await waitlist('import', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})

describe('writing a file whole or not at all', () => {
  function* failingAfter(text: string) {
    yield text
    throw new Error('out of ink')
  }

  test('leaves on a failure the old file as it was, and nothing beside it', async () => {
    const folder = emptyFolder()
    writeFileSync(`${folder}/list.csv`, 'old')
    await expect(writeWhole(`${folder}/list.csv`, failingAfter('half'))).rejects.toThrow('out of ink')
    expect(readFileSync(`${folder}/list.csv`, 'utf8')).toBe('old')
    expect(readdirSync(folder)).toEqual(['list.csv'])
  })

  test('leaves on a failure no file where there was none', async () => {
    const folder = emptyFolder()
    await expect(writeWhole(`${folder}/list.csv`, failingAfter('half'))).rejects.toThrow('out of ink')
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps a new file from other users, and the mode of an old one', async () => {
    const folder = emptyFolder()
    await writeWhole(`${folder}/new.csv`, ['new'])
    expect(statSync(`${folder}/new.csv`).mode & 0o777).toBe(0o600)
    writeFileSync(`${folder}/old.csv`, 'old')
    chmodSync(`${folder}/old.csv`, 0o640)
    await writeWhole(`${folder}/old.csv`, ['new', 'er'])
    expect(statSync(`${folder}/old.csv`).mode & 0o777).toBe(0o640)
    expect(readFileSync(`${folder}/old.csv`, 'utf8')).toBe('newer')
  })

  test('writes through a link to the file that it names', async () => {
    const folder = emptyFolder()
    writeFileSync(`${folder}/target.csv`, 'old')
    symlinkSync(`${folder}/target.csv`, `${folder}/link.csv`)
    await writeWhole(`${folder}/link.csv`, ['new'])
    expect(readFileSync(`${folder}/target.csv`, 'utf8')).toBe('new')
    expect(readdirSync(folder).sort()).toEqual(['link.csv', 'target.csv'])
  })
})
