import type { Command } from 'commander'
import { examples, mockOptions, spaceOption, urlOption } from '../options.js'
import { printJson, printMessage, show } from '../output/output.js'
import { printable } from '../output/printable.js'
import { writeAtomically } from '../write-atomically.js'
import { controlMock } from './control-mock.js'
import { defineFromDatabase } from './state-from-database-command.js'

export const define = (state: Command) => {
  const exportAndLoad = examples(
    'npx dashboard-api state export --output state.json',
    'npx dashboard-api state load state.json',
  )
  state
    .description(
      'Export the data of a running mock as a state file, or replace it with one; make one from production.',
    )
    .addHelpText('after', exportAndLoad)

  state
    .command('export')
    .description('Print the data as a state file, which can be used as a fixture.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .option('--output <file>', 'write to this file, atomically')
    .addHelpText(
      'after',
      examples('npx dashboard-api state export', 'npx dashboard-api state export --output state.json'),
    )
    .action(async ({ output, ...address }) => {
      const state = await controlMock(address)('exportState')
      if (output === undefined) return printJson(state, 2)
      await writeAtomically(output, [`${JSON.stringify(state, null, 2)}\n`])
      printMessage(`Wrote ${output}.`)
    })

  mockOptions(state.command('load'))
    .description('Replace all data of the mock with a state file; an invalid file changes nothing.')
    .argument('<file>', 'the state file')
    .addHelpText('after', exportAndLoad)
    .action(async (file, { json, ...address }) => {
      const { readStateFile } = await import('../read-state-file.js')
      const data = await controlMock(address)('loadState', await readStateFile(file))
      await show({ data, lines: [] }, json)
      printMessage(`Loaded ${file}.`)
      if (data.warning) printMessage(printable(data.warning))
    })

  defineFromDatabase(state.command('from-database'))
}
