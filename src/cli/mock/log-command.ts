import { type Command, Option } from 'commander'
import { ControlError } from '../../mock/core/control-error.js'
import type { LogEntry } from '../../mock/core/request-log.js'
import { createControlClient, NoMockError } from '../../mock/http/control-client.js'
import { addCommand } from '../define-command.js'
import { jsonOption, parseCount, spaceOption, urlOption } from '../options.js'
import { describeStep, detailLines } from '../output/detail-lines.js'
import { showLog } from '../output/output.js'
import { watchSignals } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import { controlCommand } from './control-command.js'
import { controlMock, type MockAddress, mockFailure, urlOf } from './control-mock.js'
import { printOrWrite } from './print-or-write.js'

export const define = (log: Command) => {
  addCommand(log, '', {
    about: 'Show the requests to a running mock, the responses, and why each was given.',
    examples: ['', '--json', '--follow'],
    options: [
      urlOption(),
      spaceOption(),
      ['--follow', 'continue with new requests'],
      copyOption('curl', 'print a curl command that repeats the request with this id'),
      copyOption('fetch', 'print a call of fetch that repeats the request with this id'),
      copyOption('test', 'print a test that expects the response to the request with this id'),
      new Option('--clear', 'empty the log').conflicts(['follow', 'json']),
      jsonOption('print JSON lines, one for each request'),
    ],
    async run({ follow, clear, json, ...given }) {
      const call = controlMock(given)
      const copy = copies.find((name) => given[name] !== undefined)
      if (clear) await call('clearLog')
      else if (follow) await followLog(given, watchSignals(), showLog(json))
      else if (copy === undefined) (await call('log')).forEach(showLog(json))
      if (copy === undefined) return
      const text = (await call('logEntry', { id: given[copy] }))[copy]
      if (text !== undefined) return { lines: text.split('\n') }
      throw new UserError(`Request ${given[copy]} got no response that a test could expect.`)
    },
  })
  controlCommand(log, 'show <id>', 'logEntry', {
    examples: ['1', '1 --json'],
    print: (data) => ({ data, lines: detailLines(data) }),
  })
  controlCommand(log, 'send <id>', 'sendAgain', {
    examples: ['1', '1 --session acme-viewer', `1 --method POST --body '{"name":"Another"}'`],
    options: [['--no-session', 'send it without a session']],
    // `--no-session` makes it false.
    input: ({ id, method, path, body, session }) => ({
      ...{ id, method, path, body, session: session === undefined ? undefined : session || null },
    }),
    message: ({ id, status, why }) => `Request ${id}: ${status || 'no response'} (${why}).`,
    print: (data) => ({ data, lines: data.response?.body?.text?.split('\n') ?? [] }),
  })
  controlCommand(log, 'rewind <id>', 'rewind', {
    examples: ['1', '1 --after'],
    message: (step) => describeStep('Done', step),
  })
  controlCommand(log, 'export', 'har', {
    examples: ['--har --output log.har'],
    options: [
      ['--har', 'as HAR 1.2, the only format'],
      ['--output <file>', 'write to this file, atomically'],
    ],
    print: (har, { output }) => printOrWrite(har, output),
  })
  controlCommand(log, 'size [entries]', 'resizeLog', {
    examples: ['', '10000'],
    call: (call, { entries }) => (entries === undefined ? call('logSize') : call('resizeLog', { entries })),
    print: (data) => ({ data, lines: [String(data)] }),
  })
}

const copies = ['curl', 'fetch', 'test'] as const
const copyOption = (name: string, description: string) =>
  new Option(`--${name} <id>`, description)
    .argParser(parseCount)
    .conflicts(['follow', 'json', 'clear', ...copies.filter((other) => other !== name)])

/**
 * Prints the entries of the log and each new one until the signal, which counts from before the first line.
 * @throws Failure if no mock answers, or if it ends first
 */
async function followLog(address: MockAddress, signal: AbortSignal, print: (entry: LogEntry) => void) {
  const url = urlOf(address)
  try {
    for await (const event of createControlClient(url, address.space).follow(signal, 0)) {
      if ('request' in event) print(event.request)
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof NoMockError || error instanceof ControlError) throw await mockFailure(error)
  }
  if (!signal.aborted) throw new Failure(`The mock at ${url} has ended.`)
}
