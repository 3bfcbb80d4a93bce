import type { Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createStateControls } from './state-controls.js'

export const endpoints = {
  about: ['GET /__dev/about', 'about'],
  reset: ['POST /__dev/reset', 'reset'],
  exportState: ['GET /__dev/state', 'state.export'],
  loadState: ['PUT /__dev/state', 'state.load', '...'],
  snapshots: ['GET /__dev/snapshots', 'snapshots.list'],
  saveSnapshot: ['POST /__dev/snapshots/save', 'snapshots.save', 'name'],
  loadSnapshot: ['POST /__dev/snapshots/load', 'snapshots.load', 'name'],
  deleteSnapshot: ['DELETE /__dev/snapshots', 'snapshots.delete', 'name'],
} as const satisfies Endpoints<ReturnType<typeof createStateControls>>

export const words: Words<typeof endpoints> = {
  reset: { will: () => 'Reset everything to the fixtures', did: () => 'everything was reset' },
  loadState: { will: () => 'Replace the state', did: () => 'a state was loaded' },
  saveSnapshot: {
    will: ({ name }) => `Save the state as ${name}`,
    did: ({ name }, { isReplaced }) => `the snapshot ${name} was ${isReplaced ? 'replaced' : 'saved'}`,
  },
  loadSnapshot: {
    will: ({ name }) => `Load ${name}`,
    did: ({ name }) => `the snapshot ${name} was loaded`,
  },
  deleteSnapshot: {
    will: ({ name }) => `Delete ${name}`,
    did: ({ name }) => `the snapshot ${name} was deleted`,
  },
}

export const commands = {
  about: { usages: {} },
  reset: { usages: { reset: {} }, example: 'reset' },
  saveSnapshot: {
    usages: { 'snapshot save <name>': {} },
    verbs: ['save'],
    example: 'save before-demo',
  },
  loadSnapshot: {
    usages: { 'snapshot load <name>': {} },
    verbs: ['load'],
    example: 'load before-demo',
  },
  deleteSnapshot: { usages: { 'snapshot delete <name>': {} } },
  snapshots: { usages: { 'snapshot list': {} } },
  exportState: { usages: { 'state save <file>': {}, 'state export': {} } },
  loadState: { usages: { 'state load <file>': {} } },
} as const satisfies Commands<typeof endpoints>

export const describe = ({ z, nothing, named }: FieldWords) =>
  ({
    about: {
      about: 'Show the address of a running mock, its project, and the files that it serves.',
      input: nothing,
      tool: 'overview',
    },
    reset: {
      about:
        'Return to the initial fixtures, persona, delay, chaos and clock, with an empty log; nothing is forced.',
      input: nothing,
      tool: { name: 'reset' },
    },
    exportState: {
      about:
        'Print the whole state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log.',
      input: nothing,
      tool: 'save_state, and the resource mock://state',
      help: {
        'state save <file>': {
          about:
            'Save the state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log. It is a fixture for "dev --fixtures" and "state load".',
          examples: ['state.json'],
        },
      },
    },
    // State files have their own validation, which reports each fault.
    loadState: {
      about: 'Replace all data of the mock, and what else a state file has; an invalid file changes nothing.',
      input: z.unknown(),
      tool: 'load_state',
      help: { 'state load <file>': { examples: ['state.json'] } },
    },
    snapshots: {
      about: 'List the snapshots.',
      input: nothing,
      tool: 'overview',
    },
    saveSnapshot: {
      about: 'Save the state under a name, in place of an earlier snapshot.',
      input: named,
      tool: { name: 'save_snapshot' },
      help: { 'snapshot save <name>': { examples: ['before'] } },
    },
    loadSnapshot: {
      about: 'Return to a saved state.',
      input: named,
      tool: { name: 'load_snapshot' },
      help: { 'snapshot load <name>': { examples: ['before'] } },
    },
    deleteSnapshot: {
      about: 'Delete a snapshot.',
      input: named,
      tool: { name: 'delete_snapshot' },
      help: { 'snapshot delete <name>': { examples: ['before'] } },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
