import { type Command, Option } from 'commander'
import type { LogEntry } from '../../mock/core/request-log.js'
import { examples, jsonOption, mockOptions, parseCount, spaceOption, urlOption } from '../options.js'
import { printJson, printLine, printMessage, show, showLog } from '../output/output.js'
import { shutdownSignal } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import { writeAtomically } from '../write-atomically.js'
import { controlMock, type MockAddress, mockFailure, urlOf } from './control-mock.js'
import { detailLines } from './detail-lines.js'
import { showStep } from './show-step.js'

export const define = (log: Command) => {
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
    .addHelpText(
      'after',
      examples('npx dashboard-api log', 'npx dashboard-api log --json', 'npx dashboard-api log --follow'),
    )
    .action(async ({ follow, curl, fetch, test, clear, json, ...address }) => {
      const call = controlMock(address)
      if (clear) return call('clearLog')
      if (follow) {
        const signal = shutdownSignal()
        return followLog(address, showLog(json), signal)
      }
      const id = curl ?? fetch ?? test
      if (id === undefined) return (await call('log')).forEach(showLog(json))
      const entry = await call('logEntry', { id })
      if (test !== undefined && entry.test === undefined) {
        throw new UserError(`The typed client cannot repeat request ${id}, or it got no response.`)
      }
      printLine((curl !== undefined ? entry.curl : fetch !== undefined ? entry.fetch : entry.test) ?? '')
    })
  defineShow(log.command('show'))
  defineSend(log.command('send'))
  defineRewind(log.command('rewind'))
  defineExport(log.command('export'))
  defineSize(log.command('size'))
}

const copies = ['curl', 'fetch', 'test']
const copyOption = (name: string, description: string) =>
  new Option(`--${name} <id>`, description)
    .argParser(parseCount)
    .conflicts(['follow', 'json', 'clear', ...copies.filter((other) => other !== name)])

/** The options of a subcommand. Those that `log` itself has too are parsed as its own, wherever they are. */
const optionsOf = (command: Command) => command.optsWithGlobals()

const idArgument = ['<id>', 'the id of a request, as "log" shows it', parseCount] as const

const defineShow = (command: Command) =>
  mockOptions(command)
    .description('Show a request: headers and bodies of both sides, and what it changed in the state.')
    .argument(...idArgument)
    .addHelpText('after', examples('npx dashboard-api log show 1', 'npx dashboard-api log show 1 --json'))
    .action(async (id, _, command) => {
      const { json, ...address } = optionsOf(command)
      const data = await controlMock(address)('logEntry', { id })
      await show({ data, lines: detailLines(data) }, json)
    })

const defineSend = (command: Command) =>
  mockOptions(command)
    .description('Send a request again, as it was or changed, and print the response.')
    .argument(...idArgument)
    .option('--method <method>', 'another method')
    .option('--path <path>', 'another path, below /v1/')
    .option('--body <text>', 'another body')
    .option('--session <persona>', 'send it as this persona')
    .addOption(new Option('--no-session', 'send it without a session'))
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api log send 1',
        'npx dashboard-api log send 1 --session acme-viewer',
        `npx dashboard-api log send 1 --method POST --body '{"name":"Another"}'`,
      ),
    )
    .action(async (id, _, command) => {
      const { json, method, path, body, session, ...address } = optionsOf(command)
      const edit = { method, path, body, session: session === false ? null : session }
      const data = await controlMock(address)('sendAgain', { id, ...edit })
      const lines = data.response?.body?.text?.split('\n') ?? []
      await show({ data, lines }, json)
      printMessage(`Request ${data.id}: ${data.status || 'no response'} (${data.why}).`)
    })

const defineRewind = (command: Command) =>
  mockOptions(command)
    .description('Return the state to just before a request. "undo" takes it back.')
    .argument(...idArgument)
    .option('--after', 'return to just after the request')
    .addHelpText(
      'after',
      examples('npx dashboard-api log rewind 1', 'npx dashboard-api log rewind 1 --after'),
    )
    .action(async (id, _, command) => {
      const { json, after, ...address } = optionsOf(command)
      await showStep('Done', await controlMock(address)('rewind', { id, after }), json)
    })

const defineExport = (command: Command) =>
  command
    .description('Print the whole log as an HTTP Archive, which the developer tools of browsers open.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--har', 'as HAR 1.2, the only format')
    .option('--output <file>', 'write to this file, atomically')
    .addHelpText('after', examples('npx dashboard-api log export --har --output log.har'))
    .action(async (_, command) => {
      const { output, ...address } = optionsOf(command)
      const har = await controlMock(address)('har')
      if (output === undefined) return printJson(har, 2)
      await writeAtomically(output, [`${JSON.stringify(har, null, 2)}\n`])
      printMessage(`Wrote ${output}.`)
    })

const defineSize = (command: Command) =>
  mockOptions(command)
    .description('Show how many requests the log has at most, or change it.')
    .argument('[entries]', 'a number from 1 to 100000', parseCount)
    .addHelpText('after', examples('npx dashboard-api log size', 'npx dashboard-api log size 10000'))
    .action(async (entries, _, command) => {
      const { json, ...address } = optionsOf(command)
      const call = controlMock(address)
      const data = await (entries === undefined ? call('logSize') : call('resizeLog', { entries }))
      await show({ data, lines: [String(data)] }, json)
    })

/**
 * Prints the entries of the log and each new one until the signal.
 * @throws Failure if no mock answers, or if it ends first
 */
async function followLog(
  address: MockAddress,
  print: (entry: LogEntry) => void,
  signal: Promise<unknown>,
): Promise<void> {
  const [{ createControlClient, NoMockError }, { ControlError }] = await Promise.all([
    import('../../mock/http/control-client.js'),
    import('../../mock/core/control-error.js'),
  ])
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
