import { readSettings, type Settings, SettingsError } from '../../server/settings/settings.js'
import type { SettingName } from '../../server/settings/settings-table.js'
import { UserError } from '../user-error.js'

/**
 * The settings that a command needs, from its flags and the environment.
 * @throws UserError with every fault
 */
export function requireSettings<Name extends SettingName = SettingName>(
  flags: { [Name in SettingName]?: string | undefined },
  names?: readonly Name[],
): Pick<Settings, Name> {
  try {
    return readSettings(process.env, flags, names)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    throw new UserError(
      `These settings were refused:\n${error.message.replace(/^/gm, '  ')}`,
      '"npx dashboard-api serve --help" lists all settings.',
    )
  }
}
