import type { Command } from 'commander'
import { examples, jsonOption, urlOption } from '../options.js'
import { printMessage, showTable } from '../output/output.js'
import { controlMock } from './control-mock.js'

export const define = (space: Command) => {
  const createAndRemove = examples(
    'npx dashboard-api space create checkout-test',
    'npx dashboard-api session use acme-viewer --space checkout-test',
    'npx dashboard-api space remove checkout-test',
  )
  space
    .description(
      'Show, create and remove the spaces of a running mock: copies of its state for parallel tests.',
    )
    .addHelpText('after', createAndRemove)

  withOptions(space.command('list'))
    .description('List the spaces that requests and commands have named.')
    .addHelpText('after', examples('npx dashboard-api space list'))
    .action(async ({ json, url }) => showNames(await controlMock({ url })('spaces'), json))

  withOptions(space.command('create'))
    .description('Create a space from the fixtures, in place of one with that name.')
    .argument('<name>', 'letters, digits and . _ -')
    .addHelpText('after', createAndRemove)
    .action(async (name, { json, url }) => {
      const names = await controlMock({ url })('createSpace', { name })
      printMessage(`Created ${name}.`)
      await showNames(names, json)
    })

  withOptions(space.command('remove'))
    .description('Remove a space with its state.')
    .argument('<name>', 'as "space list" shows it')
    .addHelpText('after', createAndRemove)
    .action(async (name, { json, url }) => {
      const names = await controlMock({ url })('removeSpace', { name })
      printMessage(`Removed ${name}.`)
      await showNames(names, json)
    })
}

const withOptions = (command: Command): Command => command.addOption(urlOption()).addOption(jsonOption())

const showNames = (names: string[], json?: boolean) =>
  showTable(
    {
      data: names,
      columns: [{ title: 'Space', value: (name: string) => name }],
      rows: names,
      emptyText: 'There is no space beside the common one.',
    },
    json,
  )
