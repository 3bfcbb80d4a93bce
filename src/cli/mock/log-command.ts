import { Option, type OptionValues } from 'commander'
import { saidOf } from '../../mock/controls/control-words.js'
import { operationAt } from '../../mock/engine/operation-targets.js'
import { isWanted } from '../../mock/log/log-filter.js'
import { ControlError } from '../../mock/state/control-error.js'
import { createControlClient, NoMockError } from '../../mock/surfaces/control-client.js'
import { parseCount, urlOf } from '../options.js'
import { showLog } from '../output/show-log.js'
import { watchSignals } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import type { ControlDetails } from './control-command.js'

const copies = {
  curl: 'print a curl command that repeats the request with this id',
  fetch: 'print a call of fetch that repeats the request with this id',
  test: 'print a test that expects the response to the request with this id',
}
const names = Object.keys(copies) as (keyof typeof copies)[]

/** The command `log` itself. */
export const logDetails: ControlDetails<'log'> = {
  options: [
    ['--follow', 'continue with new requests'],
    ...names.map((name) =>
      new Option(`--${name} <id>`, copies[name])
        .argParser(parseCount)
        .conflicts(['follow', 'json', 'clear', ...names.filter((other) => other !== name)]),
    ),
    new Option('--clear', 'empty the log').conflicts(['follow', 'json']),
  ],
  async print(entries, given: OptionValues, call) {
    const copy = names.find((name) => given[name] !== undefined)
    if (copy !== undefined) {
      const text = (await call('logEntry', { id: given[copy] }))[copy]
      if (text !== undefined) return { lines: [text] }
      throw new UserError(`Request ${given[copy]} got no response that a test could expect.`)
    }
    if (given.clear) {
      const { step } = await createControlClient(urlOf(given), given.space).run('clearLog')
      return { message: saidOf('clearLog', step, {}), lines: [] }
    }
    if (given.follow) await followLog(given)
    else entries.forEach(await showLog(given.json))
    return undefined
  },
}

/** Prints the entries of the log and each new one until a signal. @throws Failure if no mock answers, or if the connection ends first */
async function followLog({ url, space, json, ...filter }: OptionValues) {
  if (filter.limit !== undefined || filter.before !== undefined)
    throw new UserError('--follow goes on with new requests: it takes neither --limit nor --before.')
  // The operation of a method and path; the mock has checked the name.
  const target = filter.target && (operationAt(filter.target)?.target ?? filter.target)
  const signal = watchSignals()
  const print = await showLog(json)
  const address = urlOf({ url })
  try {
    for await (const event of createControlClient(address, space).follow(signal, 0)) {
      if ('request' in event && isWanted(event.request, { ...filter, target })) print(event.request)
    }
  } catch (error) {
    // Any other error is that of a connection that was lost.
    if (!signal.aborted && (error instanceof NoMockError || error instanceof ControlError)) throw error
  }
  if (!signal.aborted) throw new Failure(`The connection to the mock at ${address} has ended.`)
}
