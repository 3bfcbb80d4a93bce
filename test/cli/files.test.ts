import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readInput } from '../../src/cli/files.js'

const words = { name: 'The file', unreadable: 'Give another one.', tooLarge: 'Split it.' }

test('a file is read whole, up to its limit', async () => {
  const read = (maxBytes: number) =>
    readInput(Readable.from([Buffer.from('ab'), Buffer.from('c')]), maxBytes, words)
  expect((await read(3)).toString()).toBe('abc')
  await expect(read(2)).rejects.toMatchObject({
    message: expect.stringMatching(/^The file is larger than/),
    hint: 'Split it.',
  })
})

test.skipIf(process.platform === 'win32')('a device without an end is refused', async () => {
  await expect(readInput(createReadStream('/dev/zero'), 1024 * 1024, words)).rejects.toMatchObject({
    message: 'The file is larger than 1 MiB.',
  })
})

test('what cannot be read is a failure with a hint', async () => {
  await expect(readInput(createReadStream('/none/at/all'), 3, words)).rejects.toMatchObject({
    message: 'The file cannot be read: there is no such file.',
    hint: 'Give another one.',
  })
})
