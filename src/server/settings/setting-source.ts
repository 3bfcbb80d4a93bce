import { presets, type Setting, type SettingName, settingsTable } from './settings-table.js'

/** Where the value of a setting comes from; `preset` is the default of an identity provider's preset. */
export type SettingSource = 'flag' | 'environment' | 'preset' | 'default' | 'unset'

/** A setting as it was written, and where. */
export type WrittenSetting = { text: string | undefined; from: SettingSource }

/**
 * Finds what was written for each setting: a flag wins over the environment, that over the preset's default, and
 * that over the default. An empty variable is not set.
 */
export function settingSource(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined },
): (name: SettingName) => WrittenSetting {
  const row = (name: SettingName): Setting => settingsTable[name]
  const chosen = flags.oidcPreset ?? env[row('oidcPreset').env]
  const preset = presets.find((known) => known === chosen)

  return (name) => {
    const { env: variable, presets: byPreset, default: usual } = row(name)
    if (flags[name] !== undefined) return { text: flags[name], from: 'flag' }
    if (env[variable]) return { text: env[variable], from: 'environment' }
    const preferred = preset && byPreset?.[preset]
    if (preferred !== undefined) return { text: preferred, from: 'preset' }
    return usual === undefined ? { text: undefined, from: 'unset' } : { text: usual, from: 'default' }
  }
}
