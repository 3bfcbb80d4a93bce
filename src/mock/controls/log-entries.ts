import { signedOut } from '../state/limit-words.js'
import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createLogControls } from './log-controls.js'

export const endpoints = {
  log: ['GET /__dev/log', 'log.read', '...'],
  logEntry: ['GET /__dev/log/entry', 'log.entry', 'id'],
  sendAgain: ['POST /__dev/log/send', 'log.send', 'id', '...'],
  rewind: ['POST /__dev/log/rewind', 'log.rewind', 'id', '...'],
  diff: ['GET /__dev/log/diff', 'log.diff', 'id', '...'],
  har: ['GET /__dev/log/har', 'log.har'],
  clearLog: ['DELETE /__dev/log', 'log.clear'],
} as const satisfies Endpoints<{ log: ReturnType<typeof createLogControls> }>

export const words: Words<typeof endpoints> = {
  sendAgain: {
    will: ({ id, session }) =>
      `Send request ${id} again${session === undefined ? '' : ` as ${session ?? signedOut}`}`,
    did: ({ id }) => `request ${id} was sent again`,
    always: true,
  },
  rewind: {
    will: ({ id, after }) => `Go back to just ${after ? 'after' : 'before'} request ${id}`,
    did: ({ after }, { moment }) => `the data went back to ${after ? 'after' : 'before'} ${moment}`,
  },
  clearLog: { will: () => 'Empty the log', did: () => 'the log was emptied' },
}

export const commands = {
  log: {
    usages: { log: {} },
    fields: {
      ...{ target: 'text', status: 'text', session: 'text', text: 'text', failed: 'flag' },
      ...{ since: 'number', before: 'number', limit: 'number' },
    },
  },
  logEntry: { usages: { 'log show <id>': {} }, fields: { id: 'number' } },
  sendAgain: {
    usages: { 'log send <id>': {} },
    fields: { id: 'number', method: 'text', path: 'text', body: 'text', session: 'text' },
    verbs: ['send', 'again'],
    example: 'send 17, send 17 as viewer',
  },
  rewind: {
    usages: { 'log rewind <id>': {} },
    fields: { id: 'number', after: 'flag' },
    verbs: ['before', 'after'],
    example: 'before 17, after 17',
  },
  diff: { usages: { 'log diff <id>': {} }, fields: { id: 'number', after: 'flag' } },
  har: { usages: { 'log export': {} } },
  // Its command is an option of another one.
  clearLog: { usages: {} },
} as const satisfies Commands<typeof endpoints>

export const describe = (of: FieldWords) =>
  ({
    log: {
      about: 'Show the requests to a running mock, the responses, and why each was given.',
      input: of.strict({
        target: of.target,
        ...of.chosen,
        before: of.count
          .meta(of.meta('only before this id', { help: 'only before the request with this id' }))
          .optional(),
        text: of.optional('words that it has, or after a "-" has not', {
          help: 'only with these words, without those after a "-"',
        }),
        failed: of.queryFlag('only failed ones'),
        limit: of.countFrom1
          .meta(
            of.meta('the newest, or with since the oldest', {
              help: 'at most this many: the newest, or with --since the oldest',
            }),
          )
          .optional(),
      }),
      tool: 'read_log, and the resource mock://log',
      help: { log: { examples: ['', '--json', '--follow', '--target createProject --status 4xx'] } },
    },
    logEntry: {
      about: 'Show a request: headers and bodies of both sides, and what it changed in the state.',
      input: of.strict({ id: of.count.meta(of.entryId) }),
      tool: { name: 'read_request' },
      help: { 'log show <id>': { examples: ['1', '1 --json'] } },
    },
    sendAgain: {
      about: 'Send a request again, as it was or changed, and show the response.',
      input: of.strict({
        id: of.entry,
        method: of.optional('', { help: 'another method' }),
        path: of.optional('', { help: 'another path' }),
        body: of.optional('', { help: 'another body' }),
        session: of.z
          .string()
          .nullable()
          .meta(
            of.meta('the caller, or "signed out" (default: that of the request)', {
              value: 'persona',
              help: 'send it as this persona, or "signed out"',
            }),
          )
          .optional(),
      }),
      tool: { name: 'send_again', effect: 'adds' },
      help: {
        'log send <id>': {
          examples: ['1', '1 --session acme-viewer', `1 --method POST --body '{"name":"Another"}'`],
        },
      },
    },
    rewind: {
      about: 'Return the state to just before a request. "undo" takes it back.',
      input: of.strict({ id: of.entry, after: of.flag('return to just after it') }),
      tool: { name: 'rewind' },
      help: { 'log rewind <id>': { examples: ['1', '1 --after'] } },
    },
    diff: {
      about: 'Show in which records the state just before a request differs from the present one.',
      input: of.strict({
        id: of.count.meta(of.entryId),
        after: of.queryFlag('with the state just after it'),
      }),
      tool: { name: 'diff_moment' },
      help: { 'log diff <id>': { examples: ['1', '1 --after'] } },
    },
    har: {
      about: 'Print the whole log as an HTTP Archive, which the developer tools of browsers open.',
      input: of.nothing,
      tool: 'for the developer tools of browsers',
      help: { 'log export': { examples: ['--har --output log.har'] } },
    },
    clearLog: {
      about: 'Empty the log.',
      input: of.nothing,
      tool: { name: 'clear_log' },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
