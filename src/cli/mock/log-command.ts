import { type Command, Option, type OptionValues } from 'commander'
import { createControlClient } from '../../mock/http/control-client.js'
import { addCommand } from '../define-command.js'
import { jsonOption, parseCount, spaceOption, urlOption } from '../options.js'
import { showLog } from '../output/output.js'
import { watchSignals } from '../signals.js'
import { Failure, UserError } from '../user-error.js'
import { define as defineControls } from './control-groups.js'
import { controlMock, mockFailure, urlOf } from './control-mock.js'

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
    async run(given) {
      const call = controlMock(given)
      const copy = copies.find((name) => given[name] !== undefined)
      if (given.clear) await call('clearLog')
      else if (given.follow) await followLog(given)
      else if (copy === undefined) (await call('log')).forEach(showLog(given.json))
      if (copy === undefined) return
      const text = (await call('logEntry', { id: given[copy] }))[copy]
      if (text !== undefined) return { lines: text.split('\n') }
      throw new UserError(`Request ${given[copy]} got no response that a test could expect.`)
    },
  })
  defineControls(log)
}

const copies = ['curl', 'fetch', 'test'] as const
const copyOption = (name: string, description: string) =>
  new Option(`--${name} <id>`, description)
    .argParser(parseCount)
    .conflicts(['follow', 'json', 'clear', ...copies.filter((other) => other !== name)])

/** Prints the entries of the log and each new one until a signal. @throws Failure if no mock answers, or if it ends first */
async function followLog({ url, space, json }: OptionValues) {
  const signal = watchSignals()
  const print = showLog(json)
  const address = urlOf({ url })
  try {
    for await (const event of createControlClient(address, space).follow(signal, 0)) {
      if ('request' in event) print(event.request)
    }
  } catch (error) {
    const failure = await mockFailure(error)
    // Any other error is that of a connection that was lost.
    if (!signal.aborted && failure instanceof UserError) throw failure
  }
  if (!signal.aborted) throw new Failure(`The mock at ${address} has ended.`)
}
