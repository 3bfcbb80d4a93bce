import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { printMessage, show, showTable } from '../output/output.js'
import { printable } from '../output/printable.js'
import { controlMock } from './control-mock.js'

export const define = (snapshot: Command) => {
  const saveAndLoad = examples(
    'npx dashboard-api snapshot save before',
    'npx dashboard-api snapshot load before',
  )
  snapshot
    .description('Save and load the state of a running mock; list and delete what was saved.')
    .addHelpText('after', saveAndLoad)

  mockOptions(snapshot.command('save'))
    .description('Save the state under a name; replaces an earlier snapshot of that name.')
    .argument('<name>', 'letters, digits and . _ -')
    .addHelpText('after', examples('npx dashboard-api snapshot save before'))
    .action(async (name, { json, ...address }) => {
      const names = await controlMock(address)('saveSnapshot', { name })
      printMessage(`Saved ${name}.`)
      await showNames(names, json)
    })

  mockOptions(snapshot.command('load'))
    .description('Return to a saved state.')
    .argument('<name>', 'as "snapshot list" shows it')
    .addHelpText('after', saveAndLoad)
    .action(async (name, { json, ...address }) => {
      const data = await controlMock(address)('loadSnapshot', { name })
      await show({ data, lines: [] }, json)
      printMessage(`Loaded ${name}.`)
      if (data.warning) printMessage(printable(data.warning))
    })

  mockOptions(snapshot.command('delete'))
    .description('Delete a snapshot. The state of the mock stays as it is.')
    .argument('<name>', 'as "snapshot list" shows it')
    .addHelpText('after', examples('npx dashboard-api snapshot delete before'))
    .action(async (name, { json, ...address }) => {
      const names = await controlMock(address)('deleteSnapshot', { name })
      printMessage(`Deleted ${name}.`)
      await showNames(names, json)
    })

  mockOptions(snapshot.command('list'))
    .description('List the snapshots.')
    .addHelpText('after', examples('npx dashboard-api snapshot list'))
    .action(async ({ json, ...address }) => showNames(await controlMock(address)('snapshots'), json))
}

const showNames = (names: string[], json?: boolean) =>
  showTable(
    {
      data: names,
      columns: [{ title: 'Snapshot', value: (name: string) => name }],
      rows: names,
      emptyText: 'There is no snapshot.',
    },
    json,
  )
