import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createServiceLog } from '../../../src/cli/production/service-log.js'

afterEach(() => vi.restoreAllMocks())

test('drops lines while too many wait to be written, and reports it once, whether the reader is slow or has stopped', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((_line, ...[done]) => {
    ;(done as unknown as () => void)()
    return true
  })
  const messages = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const unread = vi.spyOn(process.stdout, 'writableLength', 'get').mockReturnValue(17 * 1024 * 1024)
  const log = createServiceLog()
  log.open()
  const writeLine = async () => {
    log.write('{}\n')
    await setImmediate()
  }
  await writeLine()
  // The reader reads meanwhile.
  unread.mockReturnValue(16.5 * 1024 * 1024)
  for (let i = 0; i < 2; i += 1) await writeLine()
  expect(write).not.toHaveBeenCalled()
  expect(messages.mock.calls).toEqual([
    [
      'warning: The log cannot be written, and is lost until it can be: more than 16 MiB wait to be written.\n',
    ],
  ])
  // The reader has not read the whole buffer yet.
  unread.mockReturnValue(1024 * 1024)
  await writeLine()
  unread.mockReturnValue(0)
  await writeLine()
  expect(write).toHaveBeenCalledTimes(2)
  expect(messages.mock.calls.slice(1)).toEqual([[expect.stringContaining('The log can be written again')]])
})

test('writes the lines of one event-loop turn at once, after it is opened', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const log = createServiceLog()
  log.write('1\n')
  await setImmediate()
  expect(write).not.toHaveBeenCalled()
  log.open()
  log.write('2\n')
  log.write('3\n')
  await setImmediate()
  expect(write.mock.calls.map(([text]) => text)).toEqual(['1\n', '2\n3\n'])
})
