import type { Settings } from '../../server/settings/settings.js'
import type { SettingName } from '../../server/settings/settings-table.js'

export type SettingFlags = { [Name in SettingName]?: string | undefined }

/** Reads the settings that a command needs from its flags and the environment. @throws SettingsError with every fault */
export async function requireSettings<Name extends SettingName = SettingName>(
  flags: SettingFlags,
  names?: readonly Name[],
): Promise<Pick<Settings, Name>> {
  const { readSettings } = await import('../../server/settings/settings.js')
  return readSettings(process.env, flags, names)
}
