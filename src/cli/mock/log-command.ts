import { type Command, Option } from 'commander'
import type { LogEntry } from '../../mock/core/request-log.js'
import { examples, jsonOption, parseCount, spaceOption, urlOption } from '../options.js'
import { printLine, showLog } from '../output/output.js'
import { shutdownSignal } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import { controlMock, type MockAddress, mockFailure, urlOf } from './control-mock.js'

export const define = (log: Command) =>
  log
    .description('Show the requests to a running mock, the responses, and why each was given.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--follow', 'continue with new requests')
    .addOption(
      new Option('--curl <id>', 'print a curl command that repeats the request with this id')
        .argParser(parseCount)
        .conflicts(['follow', 'json', 'clear']),
    )
    .addOption(new Option('--clear', 'empty the log').conflicts(['follow', 'json']))
    .addOption(jsonOption('print JSON lines, one for each request'))
    .addHelpText(
      'after',
      examples('npx dashboard-api log', 'npx dashboard-api log --json', 'npx dashboard-api log --follow'),
    )
    .action(async ({ follow, curl, clear, json, ...address }) => {
      const call = controlMock(address)
      if (clear) return call('clearLog')
      if (follow) {
        const signal = shutdownSignal()
        return followLog(address, showLog(json), signal)
      }
      if (curl !== undefined) printLine(curlOf(await call('log'), curl))
      else (await call('log')).forEach(showLog(json))
    })

function curlOf(entries: LogEntry[], id: number): string {
  const entry = entries.find((candidate) => candidate.id === id)
  if (entry) return entry.curl
  const [first, last] = [entries[0]?.id, entries.at(-1)?.id]
  throw new UserError(
    `The log has no request ${id}.`,
    first === undefined
      ? 'The log is empty.'
      : `It has the requests ${first} to ${last}; "npx dashboard-api log" shows them.`,
  )
}

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
