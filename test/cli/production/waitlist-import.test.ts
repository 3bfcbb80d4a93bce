import { execFileSync } from 'node:child_process'
import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../store/open-stores.js'
import { bin, emptyFolder, run, start, startProcess } from '../cli-process.js'
import { createWaitlist, importWaitlist, threeEntries } from './waitlist-database.js'

describe('dashboard-api waitlist import', () => {
  const files = {
    csv: '\uFEFFName,Email\r\nA,ada@example.com\r\n\r\nB,not an address\r\nC, ADA@example.com \r\nD\r\n',
    ndjson: '"ada@example.com"\n{"email":5}\n\n{"email":"ada@example.com"}\n{\n',
    json: '["ada@example.com", {"email":"b"}, {"email":"ada@example.com","createdAt":"now"}, "ada@example.com"]',
  }
  const faults = {
    csv: ['line 4: no email address', 'line 6: no email address'],
    ndjson: ['line 2: no email address', 'line 5, column 2: not JSON: close brace expected'],
    json: ['entry 2: no email address', 'entry 3: createdAt is not a time such as 2026-01-31T12:00:00.000Z'],
  }

  test('refuses an entry of the future, which would make a server report a wrong clock', async () => {
    const { folder, waitlist } = await createWaitlist()
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const times = [at(-1), at(1_800_000), at(7_200_000), '9999-12-31T23:59:59Z']
    writeFileSync(
      `${folder}/in.csv`,
      `email,createdAt\n${times.map((time, i) => `${i}@x.example,${time}`).join('\n')}`,
    )
    const { code, stderr } = await waitlist('import', `${folder}/in.csv`)
    expect(code).toBe(2)
    const reasons = [4, 5].map((line) => `line ${line}: createdAt is in the future`)
    expect(stderr.split('\n').slice(0, 3)).toEqual([...reasons, expect.stringContaining('Nothing was added')])
  })

  test.each(['csv', 'ndjson', 'json'] as const)(
    'of %s is refused with every invalid line, unless these are skipped',
    async (format) => {
      const { folder, waitlist } = await createWaitlist()
      const file = `${folder}/in.${format}`
      writeFileSync(file, files[format])
      const refused = await waitlist('import', file)
      expect(refused).toMatchObject({ code: 2, stdout: 'Added\t0\nKnown\t0\nRefused\t2\n' })
      expect(refused.stderr.split('\n').slice(0, 2)).toEqual(faults[format])
      expect(refused.stderr).toContain('error: Nothing was added: 2 invalid lines in')
      expect((await waitlist('list')).stdout).toBe('Email\tSince\n')

      const before = new Date().toISOString()
      const skipped = await waitlist('import', file, '--skip-invalid', '--json')
      expect(skipped.code).toBe(0)
      expect(JSON.parse(skipped.stdout)).toEqual({
        added: 1,
        known: 1,
        refused: faults[format].map((fault) => {
          const [, place, reason] = /^(.*?): (.*)$/.exec(fault) ?? []
          return { place, reason }
        }),
      })
      const [header, entry, end] = (await waitlist('list')).stdout.split('\n')
      expect([header, entry?.split('\t')[0], end]).toEqual(['Email\tSince', 'ada@example.com', ''])
      const addedAt = entry?.split('\t')[1] ?? ''
      expect(before <= addedAt && addedAt <= new Date().toISOString()).toBe(true)
    },
  )

  test.each([
    [['none.csv'], /there is no such file/],
    [['.', '--format', 'csv'], /it is a folder/],
    [['list.txt'], /The format of list\.txt is unknown\.\nhint: Add --format with one of: csv, json, ndjson/],
    [['/dev/null', '--format', 'json'], /line 1, column 1: not JSON: value expected/],
  ])('refuses %j', async (args, message) => {
    const { waitlist } = await createWaitlist()
    const { code, stdout, stderr } = await waitlist('import', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('loses no line of CSV because of a quote in another line', async () => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/quotes.csv`
    const addresses = ['a"b@example.com', '"c"d@example.com', 'e@example.com']
    writeFileSync(file, ['email', ...addresses].join('\n'))
    expect((await waitlist('import', file)).stdout).toBe('Added\t3\nKnown\t0\nRefused\t0\n')
    writeFileSync(file, 'email\nf@example.com\n"g@example.com\nh@example.com\n')
    const refused = await waitlist('import', file, '--skip-invalid')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(
      /A quote of the CSV is not closed\.\nhint: Close the quote that opens after line 2\./,
    )
  })

  test.each(['\uFEFF', ''])('names UTF-32 (byte order mark: %j)', async (mark) => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/utf-32.csv`
    const points = [...`${mark}email\na@x.example\n`].map((each) => each.codePointAt(0) ?? 0)
    const bytes = Buffer.from(new Uint32Array(points).buffer)
    for (const content of [bytes, Buffer.from(bytes).swap32()]) {
      writeFileSync(file, content)
      const { code, stderr } = await waitlist('import', file)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('The file is in UTF-32.') })
    }
  })

  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
  /** Files with the addresses a@x.example and b@x.example. */
  const readable: Record<string, string | Buffer> = {
    'mixed line ends': 'email\r\na@x.example\n\rb@x.example\r\n',
    'mixed line ends, LF first': 'email\na@x.example\rb@x.example\r\n',
    'line ends of an old Mac': 'email\ra@x.example\rb@x.example',
    'line ends converted twice': 'email\r\r\na@x.example\r\r\nb@x.example\r\r\n',
    'UTF-16, as Excel writes Unicode text': utf16('Name\tE-Mail\r\nA\ta@x.example\r\nB\tb@x.example\r\n'),
    'UTF-16 of the other order': utf16('email\na@x.example\nb@x.example').swap16(),
    'UTF-16 without a byte order mark': utf16('email\na@x.example\nb@x.example').subarray(2),
    'semicolons and a byte order mark': '\uFEFFName;Email Address\r\nA;a@x.example\r\n"B;C";b@x.example\r\n',
    'sep=': 'sep=|\r\nName|E-mail\r\nA|a@x.example\r\nB|b@x.example\r\n',
    'a quoted sep=': '"sep=;"\r\n"Name";"email"\r\n"A";"a@x.example"\r\n"B";"b@x.example"\r\n',
    'all cells quoted, after spaces': '"Name", "e_mail"\n"A", "a@x.example"\n"B", "b@x.example"\n',
    'emptied columns, with semicolons': 'email;;\r\na@x.example;;\r\nb@x.example;;\r\n',
    'emptied rows and columns': 'email,,\r\na@x.example,,\r\n,,\r\nb@x.example,,\r\n,,\r\n',
  }
  test.each(Object.entries(readable))('reads every line of a CSV with %s', async (_, content) => {
    const { folder, waitlist } = await createWaitlist()
    writeFileSync(`${folder}/in.csv`, content)
    expect(await waitlist('import', `${folder}/in.csv`)).toMatchObject({
      stdout: 'Added\t2\nKnown\t0\nRefused\t0\n',
    })
    const { waitlist: entries } = JSON.parse((await waitlist('list', '--json')).stdout)
    const addresses = entries.map(({ email }: { email: string }) => email)
    expect(addresses.sort()).toEqual(['a@x.example', 'b@x.example'])
  })

  test.each<[content: string | Buffer, fault: string]>([
    ['email\na@x.example\nb@x.example,c@x.example\n', 'line 3: 2 cells, where the first line has 1'],
    ['email,n\na@x.example;A\n', 'line 2: 1 cell, where the first line has 2'],
    [
      'email,n\na@x.example,"B\nb@x.example,"C"\nc@x.example,D\n',
      'lines 2 to 3: a cell contains records with an address (line 3): look for a quote that is not closed',
    ],
    ['email,n\n"a@x.example" ,A\n', 'line 2: the address is in quotes'],
    ['email,n\n"""a@x.example""",A\n', 'line 2: the address is in quotes'],
    ['sep=;\r\n\r\nemail;n\r\n\r\nnone;1\r\n', 'line 5: no email address'],
    // UTF-16, as Excel writes it on Windows.
    [Buffer.from('email\r\nj\xf6rg@example.com\r\n', 'latin1'), 'line 2: not in UTF-8'],
    [utf16('email\na@x.example').subarray(0, -1), 'line 2: not in UTF-16'],
  ])('refuses %j by line, and adds nothing', async (content, fault) => {
    const { folder, waitlist } = await createWaitlist()
    writeFileSync(`${folder}/in.csv`, content)
    const refused = await waitlist('import', `${folder}/in.csv`)
    expect(refused.stderr.split('\n')[0]).toBe(fault)
    expect(refused.stdout).toBe('Added\t0\nKnown\t0\nRefused\t1\n')
  })

  test.each([
    ['Mail;Name', /no column "email": "Mail;Name"\.\nhint: Rename the column with the addresses to email\./],
    [
      'a@example.com\nb@example.com',
      /no column "email": .*\nhint: Begin the file with a line of column names/,
    ],
    ['Email,E-mail', /has several columns of addresses: "Email", "E-mail"\.\nhint: Rename all but one\./],
  ])('names the first line of a CSV without its columns: %j', async (content, message) => {
    const { folder, waitlist } = await createWaitlist()
    writeFileSync(`${folder}/in.csv`, content)
    const refused = await waitlist('import', `${folder}/in.csv`, '--skip-invalid')
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  })

  test('reads lines of JSON with any line ends, also in UTF-16', async () => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/in.ndjson`
    writeFileSync(file, utf16('"a@example.com"\r"b@example.com"\r\n{}\n"c@example.com"'))
    const { stdout, stderr } = await waitlist('import', file, '--skip-invalid')
    expect({ stdout, first: stderr.split('\n')[0] }).toEqual({
      stdout: 'Added\t3\nKnown\t0\nRefused\t1\n',
      first: 'line 3: no email address',
    })
  })

  // export-formats.test.ts tests that each format preserves exports.
  test('reads an export', async () => {
    const { folder, waitlist } = await importWaitlist(threeEntries)
    const file = `${folder}/list.csv`
    expect((await waitlist('export', '--output', file)).stderr).toBe(`Wrote 3 addresses to ${file}.\n`)
    const before = (await waitlist('list', '--json')).stdout
    for (const { email } of threeEntries) await waitlist('remove', '--', email)
    expect(await waitlist('import', file)).toMatchObject({
      code: 0,
      stdout: 'Added\t3\nKnown\t0\nRefused\t0\n',
    })
    expect((await waitlist('list', '--json')).stdout).toBe(before)
  })

  test('accepts a time in any form of RFC 3339', async () => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/in.csv`
    writeFileSync(
      file,
      'email,createdAt\na@example.com,2026-03-01t10:00:00+02:00\nb@example.com,2026-03-01 07:00:00.5Z\n',
    )
    expect((await waitlist('import', file)).code).toBe(0)
    expect((await waitlist('list')).stdout.split('\n').slice(1, 3)).toEqual([
      'a@example.com\t2026-03-01T08:00:00.000Z',
      'b@example.com\t2026-03-01T07:00:00.500Z',
    ])
  })

  test('fails if all lines are invalid, even if invalid lines are skipped', async () => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/in.ndjson`
    writeFileSync(file, '"a"\n"b"\n')
    const { code, stdout, stderr } = await waitlist('import', file, '--skip-invalid')
    expect({ code, stdout }).toEqual({ code: 2, stdout: 'Added\t0\nKnown\t0\nRefused\t2\n' })
    expect(stderr).toContain('error: Nothing was added: 2 invalid lines in')
    writeFileSync(file, '')
    expect((await waitlist('import', file, '--skip-invalid')).code).toBe(0)
  })

  test('refuses a file that is too large to be read at once, or has another format', async () => {
    const { folder, waitlist } = await createWaitlist()
    const file = `${folder}/in.ndjson`
    writeFileSync(file, '1\n'.repeat(100_001))
    expect(await waitlist('import', file)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `error: More than 100,000 lines of ${file} are invalid.\nhint: Check its format.\n`,
    })
    // A sparse file.
    truncateSync(file, 129 * 1024 * 1024)
    expect(await waitlist('import', file)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: `error: ${file} is larger than 128 MiB.\nhint: Split it into several files.\n`,
    })
  })

  test.skipIf(process.platform === 'win32').each(['standard input', 'a pipe'])(
    'ends at Ctrl+C while %s is silent',
    async (kind) => {
      const { folder, database, waitlist } = await createWaitlist()
      const pipe = `${folder}/pipe`
      execFileSync('mkfifo', [pipe])
      // The test keeps the other end open.
      const writer = openSync(pipe, 'r+')
      onTestFinished(() => closeSync(writer))
      const [file, input] = kind === 'a pipe' ? [pipe, '/dev/null'] : ['-', pipe]
      const script = `exec "$0" "$1" waitlist import ${file} --format csv --database ${database} --quiet < ${input}`
      const { child, ended } = startProcess('/bin/sh', ['-c', script, process.execPath, bin])
      child.kill('SIGINT')
      await ended
      expect(child.signalCode).toBe('SIGINT')
      expect((await waitlist('list')).stdout).toBe('Email\tSince\n')
    },
  )

  const longList = (folder: string, count: number) => {
    const file = `${folder}/long.json`
    const addresses = Array.from({ length: count }, (_, i) => ({
      email: `somebody-${i}@long-domain.example`,
      createdAt: '2026-03-01T12:00:00.000Z',
    }))
    writeFileSync(file, JSON.stringify(addresses))
    return file
  }

  test('adds one audit entry, whatever its length', async () => {
    const database = `${emptyFolder()}/waitlist.db`
    const env = { DASHBOARD_API_DATABASE: database }
    await run(['seed'], { env })
    const addresses = Array.from({ length: 12_000 }, (_, i) => `a${i}@example.com`)
    const file = `${emptyFolder()}/addresses.ndjson`
    writeFileSync(file, addresses.map((email) => `${JSON.stringify(email)}\n`).join(''))
    for (let i = 0; i < 2; i += 1)
      expect(await run(['waitlist', 'import', file], { env })).toMatchObject({ code: 0 })
    const { stdout } = await run(['audit', 'list', '--action', 'waitlist', '--json'], { env })
    expect(JSON.parse(stdout).entries).toMatchObject([
      { action: 'waitlist.add', via: 'waitlist import', details: { waitlist: 12_000 } },
    ])
  })

  test('lets other processes write in between', async () => {
    const { folder, database } = await createWaitlist()
    const store = await openSqliteStore(database)
    onTestFinished(() => store.close())
    const { ended } = start(['waitlist', 'import', longList(folder, 150_000), '--database', database])
    let isRunning = true
    void ended.finally(() => {
      isRunning = false
    })
    await expect.poll(() => store.countWaitlist(), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    /** The number of imported addresses after each of the other writes. */
    const imported: number[] = []
    for (let others = 1; isRunning; others += 1) {
      const email = `between-${others}@example.com`
      expect(await store.addToWaitlist({ email, createdAt: '2026-03-01T12:00:00.000Z' })).toBe(true)
      imported.push((await store.countWaitlist()) - others)
    }
    expect((await ended).code).toBe(0)
    expect(imported.some((count) => count < 150_000)).toBe(true)
  })

  test('reports at Ctrl+C how many entries were added', async () => {
    const { folder, database } = await createWaitlist()
    const store = await openSqliteStore(database)
    onTestFinished(() => store.close())
    const importing = start(['waitlist', 'import', longList(folder, 500_000), '--database', database])
    await expect.poll(() => store.countWaitlist(), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    importing.child.kill('SIGINT')
    const { code, stdout, stderr } = await importing.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    const kept = await store.countWaitlist()
    expect(kept).toBeLessThan(500_000)
    expect(stderr).toContain(
      `error: Interrupted after ${kept.toLocaleString('en')} of 500,000 addresses, which are on the waitlist.\nhint: `,
    )
  })
})
