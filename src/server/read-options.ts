import { readSettings, type Settings, SettingsError } from './settings/settings.js'
import { type SettingName, settingNames, settingsTable } from './settings/settings-table.js'

/** Signs nothing: a service without sessions makes no cookies. */
const unused = '-'.repeat(32)

/**
 * Parses options as the command line parses settings.
 * @param hasSessions whether a secret is required
 * @throws SettingsError with all faults, by the names of the options
 */
export function readOptions(options: object, hasSessions = true): Settings {
  const texts: { [Name in SettingName]?: string } = hasSessions ? {} : { sessionSecret: unused }
  for (const [name, value] of Object.entries(options)) {
    const isSetting = (settingNames as string[]).includes(name)
    if (isSetting && value !== undefined)
      texts[name as SettingName] = Array.isArray(value) ? value.join(',') : String(value)
  }
  try {
    return readSettings({}, texts)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const names = settingNames.map(
      (name) => [settingsTable[name].flag ?? settingsTable[name].env, name] as const,
    )
    const named = error.message.split('\n').map((line) => {
      const [, option] = names.find(([label]) => line.startsWith(`${label}: `)) ?? []
      return option ? option + line.slice(line.indexOf(':')) : line
    })
    throw new SettingsError(named.join('\n'))
  }
}
