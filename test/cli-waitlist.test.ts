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
import { writeWhole } from '../src/cli/actions/write-whole.js'
import { emptyFolder, run } from './cli-process.js'

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
