import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWaitlist, time } from './waitlist-database.js'

describe('dashboard-api waitlist export', () => {
  test('writes CSV with CRLF, and prefixes formulas with an apostrophe', async () => {
    const { waitlist } = await createWaitlist('ada@example.com', '+1@example.com', '-1@example.com')
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

  test('writes JSON and NDJSON with unchanged addresses', async () => {
    const { waitlist } = await createWaitlist('ada@example.com', '+1@example.com')
    const entries = ['+1@example.com', 'ada@example.com'].map((email) => ({
      email,
      createdAt: expect.stringMatching(time),
    }))
    expect(JSON.parse((await waitlist('export', '--format', 'json')).stdout)).toEqual(entries)
    const lines = (await waitlist('export', '--format', 'ndjson')).stdout.split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries)
  })

  test('replaces the output file, and leaves no temporary file', async () => {
    const { folder, waitlist } = await createWaitlist('ada@example.com')
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

  test('writes to stdout with - for the file', async () => {
    const { waitlist } = await createWaitlist()
    const { code, stdout } = await waitlist('export', '--output', '-')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'email,createdAt\r\n' })
  })

  test('refuses an output path that cannot be written', async () => {
    const { folder, database, waitlist } = await createWaitlist()
    const missing = await waitlist('export', '--output', `${folder}/none/list.csv`)
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such folder') })
    const below = await waitlist('export', '--output', `${database}/list.csv`)
    expect(below).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a folder') })
    const onFolder = await waitlist('export', '--output', folder)
    expect(onFolder).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a file') })
  })

  test('does not overwrite a database, or a file that SQLite would use with one', async () => {
    const { folder, database: file, waitlist } = await createWaitlist('ada@example.com')
    for (const output of [file, `${file}-wal`, `${file}-journal`]) {
      const { code, stderr } = await waitlist('export', '--output', output)
      expect([code, stderr]).toEqual([2, expect.stringContaining('it belongs to a SQLite database')])
    }
    expect((await waitlist('list')).stdout).toContain('ada@example.com')
    expect(readdirSync(folder)).toEqual([basename(file)])
  })
})
