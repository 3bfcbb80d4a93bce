import { type SettingSource, settingSource } from '../../server/settings/setting-source.js'
import {
  type Setting,
  type SettingName,
  settingNames,
  settingsTable,
} from '../../server/settings/settings-table.js'
import { requireSettings } from './settings.js'

/** A setting as an operator sees it; a secret's `value` only says that there is one. */
export type ShownSetting = { setting: string; variable: string; value?: string; from: SettingSource }

type Flags = { [Name in SettingName]?: string }

/** Every setting with its effective value and where that comes from. */
export function showSettings(flags: Flags): ShownSetting[] {
  const source = settingSource(process.env, flags)
  return settingNames.map((name) => {
    const { env: variable, secret }: Setting = settingsTable[name]
    const { text, from } = source(name)
    return { setting: name, variable, ...(text !== undefined && { value: shown(text, secret) }), from }
  })
}

/** A password has no place in an address either; one that is there is refused, and still not shown. */
const shown = (text: string, secret?: boolean): string =>
  secret ? '(a secret)' : text.replace(/\/\/[^/]*@/, '//(a secret)@')

/** Checks every setting as `serve` does. @throws UserError with every fault */
export const checkSettings = (flags: Flags): void => void requireSettings(flags)
