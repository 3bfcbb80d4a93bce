import { readFileSync } from 'node:fs'
import { fileVariable, presets, type Setting, type SettingName, settingsTable } from './settings-table.js'

/** Where the value of a setting comes from; `preset` is the default of an identity provider's preset. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'preset' | 'default' | 'unset'

/** The text of a setting, and where it comes from. */
export type SettingText = {
  text: string | undefined
  from: SettingSource
  /** Why it could not be read from its file. */
  fault?: string
}

/**
 * Finds the text of each setting: a flag wins over the environment, the environment over the default of the preset,
 * and that over the default. An empty variable counts as unset. A secret may be in a file that a variable names.
 */
export function settingSource(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined },
): (name: SettingName) => SettingText {
  const row = (name: SettingName): Setting => settingsTable[name]
  const chosen = flags.oidcPreset ?? env[row('oidcPreset').env]
  const preset = presets.find((known) => known === chosen)

  return (name) => {
    const { env: variable, presets: byPreset, default: fallback, secret } = row(name)
    if (flags[name] !== undefined) return { text: flags[name], from: 'flag' }
    const file = secret && env[fileVariable(variable)]
    if (file) return fromFile(file, variable, Boolean(env[variable]))
    if (env[variable]) return { text: env[variable], from: 'environment' }
    const preferred = preset && byPreset?.[preset]
    if (preferred !== undefined) return { text: preferred, from: 'preset' }
    return fallback === undefined ? { text: undefined, from: 'unset' } : { text: fallback, from: 'default' }
  }
}

function fromFile(file: string, variable: string, isSetTwice: boolean): SettingText {
  if (isSetTwice) return { text: undefined, from: 'file', fault: `${file}, and ${variable} is set too` }
  try {
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, ''), from: 'file' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { text: undefined, from: 'file', fault: `${file}, which cannot be read (${code})` }
  }
}
