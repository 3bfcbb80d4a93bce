import { maxTimeout } from '../log/filter-rules.js'
import type { createCallControls } from './call-controls.js'
import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'

export const endpoints = {
  calls: ['POST /__dev/calls', 'calls', 'target', '...'],
  waitForRequest: ['POST /__dev/calls/wait', 'waitForRequest', 'target', '...', 'signal'],
  expectCalls: ['POST /__dev/calls/expect', 'expectCalls', 'target', '...', 'signal'],
} as const satisfies Endpoints<ReturnType<typeof createCallControls>>

export const words: Words<typeof endpoints> = {}

const fields = { status: 'text', session: 'text', since: 'number', body: 'text' } as const

export const commands = {
  calls: { usages: { 'log calls <target>': {} }, fields },
  waitForRequest: { usages: { 'log wait <target>': {} }, fields: { ...fields, timeout: 'number' } },
  expectCalls: {
    usages: { 'log expect <target>': {} },
    fields: { times: 'number', ...fields, timeout: 'number' },
  },
} as const satisfies Commands<typeof endpoints>

export const describe = (of: FieldWords) => {
  const target = of.text('', { help: 'an operation or a handler' })
  const filter = {
    ...of.chosen,
    body: of.z
      .unknown()
      .meta(
        of.meta('an object has at least these fields', {
          value: 'json',
          help: 'the body, as JSON: an object has at least these fields',
        }),
      )
      .optional(),
  }
  const timeout = of
    .bounded(0, maxTimeout)
    .meta(
      of.meta('in ms (default: 3000)', {
        help: 'wait at most this long, in milliseconds (default: 3000)',
      }),
    )
    .optional()
  return {
    calls: {
      about: 'List the requests to a target with their bodies, without aborted ones.',
      input: of.strict({ target, ...filter }),
      tool: 'expect_calls',
      help: { 'log calls <target>': { examples: ['createProject', 'createProject --status 4xx'] } },
    },
    waitForRequest: {
      about: 'Wait for a request to a target, also for a logged one, and show it with its bodies.',
      input: of.strict({ target, ...filter, timeout }),
      tool: { name: 'wait_for_request' },
      help: { 'log wait <target>': { examples: [`createProject --body '{"name":"Roadmap"}'`] } },
    },
    expectCalls: {
      about:
        'Expect requests to a target, and show them or what came instead, with bodies and differences. Aborted ones do not count.',
      input: of.strict({
        target,
        times: of.count.describe('exactly (default: at least one)').optional(),
        ...filter,
        timeout,
      }),
      tool: { name: 'expect_calls' },
      help: {
        'log expect <target>': { examples: [`createProject --times 1 --body '{"name":"Roadmap"}'`] },
      },
    },
  } satisfies Descriptions<typeof endpoints, typeof commands>
}
