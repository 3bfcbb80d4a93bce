import { type Command, Option } from 'commander'
import type { SettingSource } from '../../server/settings/settings.js'
import { type Setting, settingNames, settingsTable } from '../../server/settings/settings-table.js'
import { withoutPassword } from '../../store/database-address.js'
import { addCommand } from '../define-command.js'
import { jsonOption, serveOptions } from '../options.js'
import type { Columns } from '../output/columns.js'
import { printMessage } from '../output/output.js'
import { requireSettings, type SettingFlags } from './require-settings.js'

const aboutProvider = 'implies --check; test the identity provider: metadata, keys, sign-in page, client'

export const define = (config: Command) =>
  addCommand(config, '', {
    about: 'Show the settings that "serve" would use and where each comes from; secrets are not shown.',
    options: [
      ...serveOptions(),
      ['--check', 'check that "serve" would start with them, without changing anything'],
      new Option('--provider', aboutProvider).implies({ check: true }),
      jsonOption(),
    ],
    examples: ['', '--check'],
    async run({ check, provider, json, quiet: _, ...flags }) {
      if (check) {
        const settings = await requireSettings(flags)
        const { checkIdentityProvider, checkServe } = await import('./check-serve.js')
        printMessage('Every setting is valid.')
        for await (const line of checkServe(settings)) printMessage(line)
        if (provider) return checkIdentityProvider(settings)
        if (!json) return undefined
      }
      return { table: { name: 'settings', columns, rows: await effectiveSettings(flags) } }
    },
  })

/** For a secret, `value` only says that there is one. */
type EffectiveSetting = { setting: string; variable: string; value?: string; from: SettingSource }

const columns: Columns<EffectiveSetting> = {
  Variable: 'variable',
  From: 'from',
  Value: { value: 'value', minWidth: 8 },
}

async function effectiveSettings(flags: SettingFlags): Promise<EffectiveSetting[]> {
  const { settingSource } = await import('../../server/settings/settings.js')
  const source = settingSource(process.env, flags)
  return settingNames.map((name) => {
    const { env: variable, secret }: Setting = settingsTable[name]
    const { text, from } = source(name)
    // An address may have a password: that of a database, or of a URL, which is invalid then.
    const shown = text === undefined ? {} : { value: secret ? '(a secret)' : withoutPassword(text) }
    return { setting: name, variable, ...shown, from }
  })
}
