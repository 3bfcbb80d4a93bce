import type { Command } from 'commander'
import { isUnspecifiedAddress } from '../../contract/host.js'
import type { SettingSource, Settings } from '../../server/settings/settings.js'
import { type Setting, settingNames, settingsTable } from '../../server/settings/settings-table.js'
import { withoutPassword } from '../../store/database-address.js'
import { addCommand } from '../define-command.js'
import { jsonOption, serveOptions } from '../options.js'
import { columnsOf } from '../output/columns.js'
import { printMessage } from '../output/output.js'
import { UserError } from '../user-error.js'
import { requireSettings, type SettingFlags } from './require-settings.js'

export const define = (config: Command) =>
  addCommand(config, '', {
    about: 'Show the settings that "serve" would use and where each comes from; secrets are not shown.',
    options: [
      ...serveOptions(),
      ['--check', 'check that "serve" would start with them, without changing anything'],
      ['--provider', 'with --check: sign in at the identity provider as far as a program can'],
      jsonOption(),
    ],
    examples: ['', '--check'],
    async run({ check, provider, json, quiet: _, ...flags }) {
      if (provider && !check) {
        throw new UserError(
          '--provider is an option of --check.',
          'Run: npx dashboard-api config --check --provider',
        )
      }
      if (check) {
        const settings = await requireSettings(flags)
        const { checkIdentityProvider, checkServe } = await import('./check-serve.js')
        printMessage('Every setting is valid.')
        for (const line of recommendations(settings)) printMessage(`recommendation: ${line}`)
        await checkServe(settings)
        if (provider) await checkIdentityProvider(settings, json)
        if (provider || !json) return undefined
      }
      return { table: { name: 'settings', columns, rows: await effectiveSettings(flags) } }
    },
  })

/** For a secret, `value` only says that there is one. */
type EffectiveSetting = { setting: string; variable: string; value?: string; from: SettingSource }

const columns = columnsOf<EffectiveSetting>('Variable, From, Value*', ({ variable, from, value }) => {
  return [variable, from, value]
})

async function effectiveSettings(flags: SettingFlags): Promise<EffectiveSetting[]> {
  const { settingSource } = await import('../../server/settings/settings.js')
  const source = settingSource(process.env, flags)
  return settingNames.map((name) => {
    const { env: variable, secret }: Setting = settingsTable[name]
    const { text, from } = source(name)
    return { setting: name, variable, ...(text !== undefined && { value: masked(text, secret) }), from }
  })
}

/** What would be safer than settings that are valid. */
function* recommendations({ host, publicUrl, sessionCookie }: Settings): Generator<string> {
  if (publicUrl?.startsWith('https:') && sessionCookie === 'session') {
    yield `Set ${settingsTable.sessionCookie.env}=__Host-session: a sibling domain can set a cookie named "session" for this one.`
  }
  if (publicUrl === undefined && isUnspecifiedAddress(host)) {
    yield `Set ${settingsTable.publicUrl.env}: the server does not know by which address clients reach ${host}, so the URLs in its responses have the Host header of each request.`
  }
}

/** An address may have a password: that of a database, or of a URL, which is invalid then. */
const masked = (text: string, secret?: boolean): string => (secret ? '(a secret)' : withoutPassword(text))
