import { dirname } from 'node:path'
import type { Settings } from '../../server/settings/settings.js'
import type { SettingName } from '../../server/settings/settings-table.js'
import { realFile } from '../../store/sqlite/file-identity.js'

export type SettingFlags = { [Name in SettingName]?: string | undefined }

/**
 * Reads the settings that a command needs from its flags and the environment.
 * @param remedies the advice for refused values, where it is not that of `serve`
 * @throws SettingsError with every fault
 */
export async function requireSettings<Name extends SettingName = SettingName>(
  flags: SettingFlags,
  names?: readonly Name[],
  remedies?: SettingFlags,
): Promise<Pick<Settings, Name>> {
  const { readSettings } = await import('../../server/settings/settings.js')
  const settings = await readSettings(process.env, flags, names, remedies)
  const { database }: Partial<Settings> = settings
  // SQLite spills large temporary data, such as all records during a VACUUM. Other disks may be small, read-only, or
  // unsuitable for personal data. SQLite reads the variable when it opens the first file.
  if (database?.kind === 'sqlite') process.env.SQLITE_TMPDIR ||= dirname(realFile(database.file))
  return settings
}
