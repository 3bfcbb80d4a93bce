import type { Command } from 'commander'
import { printMessage, show, showTable } from '../output/output.js'
import { examples, mockOptions } from './options.js'

export const snapshot = (program: Command) => {
  const group = program
    .command('snapshot')
    .description('Keep the state of a running mock under a name, and return to it.')
    .addHelpText(
      'after',
      examples('npx dashboard-api snapshot save before', 'npx dashboard-api snapshot load before'),
    )

  mockOptions(
    group
      .command('save')
      .description('Keep the state under a name, over what was there.')
      .argument('<name>', 'of letters, digits and . _ -'),
  )
    .addHelpText('after', examples('npx dashboard-api snapshot save before'))
    .action(async (name, { json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      const names = await mockAt(at)('saveSnapshot', { name })
      printMessage(`Saved ${name}.`)
      await showNames(names, json)
    })

  mockOptions(
    group
      .command('load')
      .description('Return to the state that was kept under a name.')
      .argument('<name>', 'as "snapshot list" shows it'),
  )
    .addHelpText(
      'after',
      examples('npx dashboard-api snapshot save before', 'npx dashboard-api snapshot load before'),
    )
    .action(async (name, { json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      const data = await mockAt(at)('loadSnapshot', { name })
      await show({ data, lines: [] }, json)
      printMessage(`The state is that of ${name}.`)
    })

  mockOptions(group.command('list').description('Show the names of the snapshots.'))
    .addHelpText('after', examples('npx dashboard-api snapshot list'))
    .action(async ({ json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      await showNames(await mockAt(at)('snapshots'), json)
    })
}

const showNames = (names: string[], json?: boolean) =>
  showTable(
    {
      data: names,
      columns: [{ title: 'Snapshot', value: (name: string) => name }],
      rows: names,
      nothing: 'There is no snapshot.',
    },
    json,
  )
