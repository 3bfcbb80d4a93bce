import { describe, expect, test } from 'vitest'
import { run } from '../cli-process.js'
import { createWaitlist, importWaitlist, marchDay, threeEntries, time } from './waitlist-database.js'

describe('dashboard-api waitlist', () => {
  test('adds and removes addresses, trimmed and lower-cased, and reports whether anything changed', async () => {
    const { waitlist } = await createWaitlist()
    const output = async (...args: [string, ...string[]]) =>
      JSON.parse((await waitlist(...args, '--json')).stdout)
    expect(await output('add', '  Ada@Example.COM ')).toEqual({ email: 'ada@example.com', added: true })
    expect(await output('add', 'ada@example.com')).toEqual({ email: 'ada@example.com', added: false })
    expect(await output('list')).toEqual({
      waitlist: [{ email: 'ada@example.com', createdAt: expect.stringMatching(time) }],
    })
    expect(await output('remove', 'ADA@example.com')).toEqual({ email: 'ada@example.com', removed: true })
    expect(await output('remove', 'ada@example.com')).toEqual({ email: 'ada@example.com', removed: false })
    expect(await waitlist('list')).toMatchObject({ code: 0, stdout: 'Email\tSince\n' })
  })

  test.each(['add', 'remove'])('refuses to %s an invalid address', async (command) => {
    const { waitlist } = await createWaitlist()
    const { code, stdout, stderr } = await waitlist(command, 'ada at example')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('"ada at example" is not an email address.')
  })
})

describe('filters of dashboard-api waitlist', () => {
  test('lists by text and by time', async () => {
    const { waitlist } = await importWaitlist(threeEntries)
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
    const { waitlist } = await importWaitlist([
      ...threeEntries,
      { email: 'zoe@example.com', createdAt: marchDay(3) },
    ])
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

  test('counts more domains than a call can have arguments', async () => {
    const count = 150_000
    const createdAt = marchDay(1)
    const emails = Array.from({ length: count }, (_, i) => `a@${i}.example`)
    const { waitlist } = await importWaitlist(emails.map((email) => ({ email, createdAt })))
    const { code, stdout } = await waitlist('stats')
    const lines = stdout.trimEnd().split('\n')
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: count + 2 })
    expect(lines.slice(0, 2)).toEqual(['By\tOf\tAddresses', `day\t2026-03-01\t${count}`])
  })
})
