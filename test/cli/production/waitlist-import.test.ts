import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createWaitlist, importWaitlist, threeEntries } from './waitlist-database.js'

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
          const [place, reason] = fault.split(': ')
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
    [['/dev/null', '--format', 'json'], /not an array/],
  ])('refuses %j', async (args, message) => {
    const { waitlist } = await createWaitlist()
    const { code, stdout, stderr } = await waitlist('import', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test.each(['csv', 'json', 'ndjson'])('reads what was exported as %s', async (format) => {
    const { folder, waitlist } = await importWaitlist(threeEntries)
    const file = `${folder}/list.${format}`
    expect((await waitlist('export', '--format', format, '--output', file)).stderr).toBe(
      `Wrote 3 addresses to ${file}.\n`,
    )
    const before = (await waitlist('list', '--json')).stdout
    for (const { email } of threeEntries) await waitlist('remove', '--', email)
    expect(await waitlist('import', file)).toMatchObject({
      code: 0,
      stdout: 'Added\t3\nKnown\t0\nRefused\t0\n',
    })
    expect((await waitlist('list', '--json')).stdout).toBe(before)
  })
})
