import type { Command } from 'commander'
import type { ShownSetting } from '../actions/config.js'
import { printMessage, showTable } from '../output/output.js'
import { examples, jsonOption, settingOption } from './options.js'

const columns = [
  { title: 'Variable', value: ({ variable }: ShownSetting) => variable },
  { title: 'From', value: ({ from }: ShownSetting) => from },
  { title: 'Value', value: ({ value }: ShownSetting) => value, yields: true },
]

export const config = (program: Command) =>
  program
    .command('config')
    .description(
      'Show the settings that "serve" would run with, and where each comes from; no secret is shown.',
    )
    .addOption(settingOption('port', '<number>'))
    .addOption(settingOption('host', '<address>'))
    .addOption(settingOption('database', '<file>'))
    .addOption(settingOption('provisionTeams'))
    .option('--check', 'only check them all, and exit with 2 where one is refused')
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api config', 'npx dashboard-api config --check'))
    .action(async ({ check, json, ...flags }) => {
      const { checkSettings, showSettings } = await import('../actions/config.js')
      if (check) checkSettings(flags)
      const rows = showSettings(flags)
      if (check) printMessage('Every setting is valid.')
      if (check && !json) return
      await showTable({ data: { settings: rows }, columns, rows, nothing: 'There is no setting.' }, json)
    })
