import { type Command, Option } from 'commander'
import { examples, mockOptions, spaceOption, urlOption } from '../options.js'
import { printJson, printMessage, show } from '../output/output.js'
import { printable } from '../output/printable.js'
import { writeAtomically } from '../write-atomically.js'
import { controlMock, type MockAddress } from './control-mock.js'
import { defineFromDatabase } from './state-from-database-command.js'

export const define = (state: Command) => {
  const saveAndLoad = examples(
    'npx dashboard-api state save state.json',
    'npx dashboard-api state load state.json',
  )
  state
    .description(
      'Save the data of a running mock as a fixture, or replace it with one; make one from production.',
    )
    .addHelpText('after', saveAndLoad)

  state
    .command('save')
    .description('Save the data as a state file: a fixture for "dev --fixtures", "state load" and "seed".')
    .argument('<file>', 'the file; one that exists is replaced, atomically')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addHelpText('after', saveAndLoad)
    .action(save)

  state
    .command('export')
    .description('Print the data as a state file.')
    .addOption(urlOption())
    .addOption(spaceOption())
    // The way before "state save".
    .addOption(new Option('--output <file>').hideHelp())
    .addHelpText('after', examples('npx dashboard-api state export'))
    .action(async ({ output, ...address }) => {
      if (output !== undefined) return save(output, address)
      printJson(await controlMock(address)('exportState'), 2)
    })

  mockOptions(state.command('load'))
    .description('Replace all data of the mock with a state file; an invalid file changes nothing.')
    .argument('<file>', 'the state file')
    .addHelpText('after', saveAndLoad)
    .action(async (file, { json, ...address }) => {
      const { readStateFile } = await import('../read-state-file.js')
      const data = await controlMock(address)('loadState', await readStateFile(file))
      await show({ data, lines: [] }, json)
      printMessage(`Loaded ${file}.`)
      if (data.warning) printMessage(printable(data.warning))
    })

  defineFromDatabase(state.command('from-database'))
}

async function save(file: string, address: MockAddress): Promise<void> {
  const state = await controlMock(address)('exportState')
  await writeAtomically(file, [`${JSON.stringify(state, null, 2)}\n`])
  printMessage(`Wrote ${file}.`)
}
