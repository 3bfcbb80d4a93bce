import { type Command, Option } from 'commander'
import { ControlError } from '../../mock/core/control-error.js'
import type { LogEntry } from '../../mock/core/request-log.js'
import { createControlClient, NoMockError } from '../../mock/http/control-client.js'
import { jsonOption, parseCount, spaceOption, urlOption } from '../options.js'
import { describeStep, detailLines } from '../output/detail-lines.js'
import { printLine, show, showLog } from '../output/output.js'
import { shutdownSignal } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import { addExamples, controlCommand } from './control-command.js'
import { controlMock, type MockAddress, mockFailure, urlOf } from './control-mock.js'
import { printOrWrite } from './state-command.js'

export const define = (log: Command) => {
  addExamples(log, log, ['', '--json', '--follow'])
  log
    .description('Show the requests to a running mock, the responses, and why each was given.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--follow', 'continue with new requests')
    .addOption(copyOption('curl', 'print a curl command that repeats the request with this id'))
    .addOption(copyOption('fetch', 'print a call of fetch that repeats the request with this id'))
    .addOption(copyOption('test', 'print a test that expects the response to the request with this id'))
    .addOption(new Option('--clear', 'empty the log').conflicts(['follow', 'json']))
    .addOption(jsonOption('print JSON lines, one for each request'))
    .action(async ({ follow, clear, json, ...given }) => {
      const call = controlMock(given)
      if (clear) return call('clearLog')
      if (follow) return followLog(given, showLog(json), shutdownSignal())
      const copy = copies.find((name) => given[name] !== undefined)
      if (copy === undefined) return (await call('log')).forEach(showLog(json))
      const text = (await call('logEntry', { id: given[copy] }))[copy]
      if (text !== undefined) return printLine(text)
      throw new UserError(`The typed client cannot repeat request ${given[copy]}, or it got no response.`)
    })
  controlCommand(log, 'show <id>', 'logEntry', {
    examples: ['1', '1 --json'],
    print: (data, { json }) => show({ data, lines: detailLines(data) }, json),
  })
  controlCommand(log, 'send <id>', 'sendAgain', {
    examples: ['1', '1 --session acme-viewer', `1 --method POST --body '{"name":"Another"}'`],
    others: [new Option('--no-session', 'send it without a session')],
    input: ({ id, method, path, body, session }) => {
      // `--no-session` makes it false.
      return { id, method, path, body, session: session === undefined ? undefined : session || null }
    },
    message: ({ id, status, why }) => `Request ${id}: ${status || 'no response'} (${why}).`,
    print: (data, { json }) => show({ data, lines: data.response?.body?.text?.split('\n') ?? [] }, json),
  })
  controlCommand(log, 'rewind <id>', 'rewind', {
    examples: ['1', '1 --after'],
    message: (step) => describeStep('Done', step),
  })
  controlCommand<'har', { output?: string }>(log, 'export', 'har', {
    examples: ['--har --output log.har'],
    others: [
      new Option('--har', 'as HAR 1.2, the only format'),
      new Option('--output <file>', 'write to this file, atomically'),
    ],
    print: (har, { output }) => printOrWrite(har, output),
  })
  controlCommand(log, 'size [entries]', 'resizeLog', {
    examples: ['', '10000'],
    call: (call, { entries }) => (entries === undefined ? call('logSize') : call('resizeLog', { entries })),
    print: (data, { json }) => show({ data, lines: [String(data)] }, json),
  })
}

const copies = ['curl', 'fetch', 'test'] as const
const copyOption = (name: string, description: string) =>
  new Option(`--${name} <id>`, description)
    .argParser(parseCount)
    .conflicts(['follow', 'json', 'clear', ...copies.filter((other) => other !== name)])

/**
 * Prints the entries of the log and each new one until the signal.
 * @throws Failure if no mock answers, or if it ends first
 */
async function followLog(address: MockAddress, print: (entry: LogEntry) => void, signal: Promise<unknown>) {
  const url = urlOf(address)
  const abort = new AbortController()
  void signal.then(() => abort.abort())
  try {
    for await (const event of createControlClient(url, address.space).follow(abort.signal, 0)) {
      if ('request' in event) print(event.request)
    }
  } catch (error) {
    if (abort.signal.aborted) return
    if (error instanceof NoMockError || error instanceof ControlError) throw await mockFailure(error)
  }
  if (!abort.signal.aborted) throw new Failure(`The mock at ${url} has ended.`)
}
