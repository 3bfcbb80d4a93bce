import type { Settings } from '../../server/settings/settings.js'
import type { SettingName } from '../../server/settings/settings-table.js'
import { UserError } from '../user-error.js'

export type SettingFlags = { [Name in SettingName]?: string | undefined }

/**
 * Reads the settings that a command needs from its flags and the environment.
 * @throws UserError with every fault
 */
export async function requireSettings<Name extends SettingName = SettingName>(
  flags: SettingFlags,
  names?: readonly Name[],
): Promise<Pick<Settings, Name>> {
  const { readSettings, SettingsError } = await import('../../server/settings/settings.js')
  try {
    return readSettings(process.env, flags, names)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const { unknownVariables } = await import('../../server/settings/setting-warnings.js')
    const faults = [error.message, ...unknownVariables(process.env)].join('\n')
    throw new UserError(
      `These settings were refused:\n${faults.replace(/^/gm, '  ')}`,
      '"npx dashboard-api serve --help" lists all settings.',
    )
  }
}
