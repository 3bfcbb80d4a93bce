import { Argument, type Command, Option } from 'commander'
import { printJson, printMessage, writeData } from '../output/output.js'
import { defineFromDatabase } from '../production/state-from-database-command.js'
import { writeAtomically } from '../write-atomically.js'
import { controlCommand } from './control-command.js'
import { targets } from './mock-tables.js'

type File = { file: string }

export const define = (group: Command) => {
  group.description(
    'Save the data of a running mock as a fixture, or replace it with one; make one from production.',
  )
  controlCommand<'exportState', File>(group, 'save', 'exportState', {
    about: 'Save the data as a state file: a fixture for "dev --fixtures", "state load" and "seed".',
    examples: ['state.json'],
    others: [new Argument('<file>', 'the file; one that exists is replaced, atomically')],
    print: (state, { file }) => printOrWrite(state, file),
  })
  controlCommand<'exportState', { output?: string }>(group, 'export', 'exportState', {
    // The way before "state save".
    others: [new Option('--output <file>').hideHelp()],
    print: (state, { output }) => printOrWrite(state, output),
  })
  controlCommand<'loadState', File>(group, 'load', 'loadState', {
    examples: ['state.json'],
    others: [new Argument('<file>', 'the state file')],
    async input({ file }) {
      const { readStateFile } = await import('../read-state-file.js')
      return readStateFile(file)
    },
    message: (_, { file }) => `Loaded ${file}.`,
  })
  defineFromDatabase(group.command('from-database'))
}

/** `handlers`: what requests reach, and what is forced as MSW handlers. */
export const defineHandlers = (group: Command) => {
  group.description(
    'What requests to a running mock reach, and what is forced there as a file of MSW handlers.',
  )
  controlCommand(group, 'list', 'targets', { print: targets })
  controlCommand<'exportHandlers', { file?: string }>(group, 'export', 'exportHandlers', {
    examples: ['', 'handlers.ts'],
    others: [new Argument('[file]', 'the file; one that exists is replaced, atomically')],
    print: (data, { file, json }) => (json ? printOrWrite(data) : printOrWrite(data.text, file)),
  })
}

/** Prints text, or data as JSON, or writes it to a file. */
export async function printOrWrite(data: unknown, file?: string): Promise<void> {
  const text = typeof data === 'string' ? data : `${JSON.stringify(data, null, 2)}\n`
  if (file === undefined) return typeof data === 'string' ? writeData(data) : printJson(data, 2)
  await writeAtomically(file, [text])
  printMessage(`Wrote ${file}.`)
}
