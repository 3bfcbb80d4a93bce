import { execFileSync } from 'node:child_process'
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { readAddresses } from '../../../src/cli/production/read-addresses.js'
import { emptyFolder } from '../cli-process.js'

test.skipIf(process.platform === 'win32')(
  'malformed lines of a CSV are told as they are read, in order',
  async () => {
    const file = `${emptyFolder()}/pipe`
    execFileSync('mkfifo', [file])
    const pipe = openSync(file, 'r+')
    onTestFinished(() => closeSync(pipe))
    // The end of the file never comes.
    writeSync(pipe, `email\nno address\n${'a"b\n'.repeat(1000)}`)
    const rows = readAddresses(createReadStream(file), 'csv', '2026-01-31T12:00:00.000Z')
    expect(await rows.next()).toMatchObject({ value: { place: 'line 2', reason: 'no email address' } })
    for (let line = 3; line < 500; line += 1) {
      const { value } = await rows.next()
      expect(value).toEqual({
        place: `line ${line}`,
        reason: expect.stringContaining('Invalid Opening Quote'),
      })
    }
  },
)
