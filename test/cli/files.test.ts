import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readInput } from '../../src/cli/files.js'
import { emptyFolder } from './cli-process.js'

const hint = 'Give another one.'
const name = 'The file'

test('a file is read completely, up to a limit', async () => {
  const file = `${emptyFolder()}/input`
  writeFileSync(file, 'abc')
  expect(String(await readInput(file, { hint, maxBytes: 3 }))).toBe('abc')
  const refusal = readInput(file, { name, hint, maxBytes: 2, tooLarge: 'Split it.' })
  await expect(refusal).rejects.toMatchObject({
    message: expect.stringMatching(/^The file is larger than/),
    hint: 'Split it.',
  })
})

test.skipIf(process.platform === 'win32')('an endless device is refused', async () => {
  await expect(readInput('/dev/zero', { name, hint })).rejects.toMatchObject({
    message: 'The file is larger than 16 MiB.',
    hint,
  })
})

test('an unreadable file is a failure with a hint', async () => {
  await expect(readInput('/none/at/all', { name, hint })).rejects.toMatchObject({
    message: 'The file cannot be read: there is no such file.',
    hint,
  })
})
