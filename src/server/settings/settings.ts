import { readFileSync } from 'node:fs'
import { hasPassword, withoutPassword } from '../../store/database-address.js'
import { conflicts, type Settings, settingSchemas } from './setting-schemas.js'
import {
  fileVariable,
  type Setting,
  type SettingName,
  settingNames,
  settingsTable,
} from './settings-table.js'

export type { Settings } from './setting-schemas.js'

/** Refused settings, with every fault but no secret. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  /** Where a command explains its settings, if not in the help of `serve`. */
  hint: string | undefined
}

/**
 * Reads settings from the sources of `settingSource`.
 * @param flags the texts of flags, by the setting's name
 * @param names the settings to read; by default all
 * @param remedies the advice for refused values, where it is not that of the table
 * @throws SettingsError with all faults
 */
export function readSettings<Name extends SettingName = SettingName>(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined } = {},
  names: readonly Name[] = settingNames as Name[],
  remedies: { [Name in SettingName]?: string | undefined } = {},
): Pick<Settings, Name> {
  const source = settingSource(env, flags)
  const rows = names.map((name) => {
    const { remedy, ...setting }: Setting = settingsTable[name]
    const row = { ...setting, ...source(name), remedy: remedies[name] ?? remedy }
    const value = row.text === undefined ? undefined : settingSchemas[name].safeParse(row.text).data
    return { ...row, name, value }
  })
  const settings = Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Pick<Settings, Name>
  const refused = rows.filter(
    ({ name, text = '', from, fault, value, required }) =>
      fault !== undefined ||
      (value === undefined && (required || from !== 'unset')) ||
      conflicts[name]?.(settings) ||
      // Other users of the machine can read the command line.
      (name === 'database' && from === 'flag' && hasPassword(text)),
  )
  if (refused.length === 0) return settings

  const faults = refused.map(({ name, text, from, fault, env: variable, flag, remedy, secret }) => {
    const setting = from === 'file' ? fileVariable(variable) : (from === 'flag' && flag) || variable
    const { description = '' } = settingSchemas[name]
    const expected = from === 'file' ? `the path of a file with ${description}` : description
    const got = fault ?? (secret && text ? 'a value that is not shown here' : text && masked(text))
    const actual = got === undefined ? 'it is not set' : `got ${JSON.stringify(got)}`
    return `${setting}: expected ${expected}; ${actual}.${remedy ? ` ${remedy}` : ''}`
  })
  throw new SettingsError(faults.join('\n'))
}

/** A refused value without user and password of an address. */
const masked = (text: string): string => withoutPassword(text).replace(/\/\/[^/@\s]*@/g, '//…@')

export type SettingSource = 'flag' | 'environment' | 'file' | 'default' | 'unset'

export type SettingText = {
  text: string | undefined
  from: SettingSource
  /** Why its file could not be read. */
  fault?: string
}

/**
 * Finds the text of each setting: a flag overrides the environment, and the environment the default. White space around the
 * value of a variable (as in files with CRLF) and a byte order mark are removed; an empty value counts as unset. A variable
 * may name the file of a secret.
 */
export function settingSource(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined },
): (name: SettingName) => SettingText {
  return (name) => {
    const { env: variable, default: fallback, secret }: Setting = settingsTable[name]
    if (flags[name] !== undefined) return { text: flags[name], from: 'flag' }
    const file = secret && env[fileVariable(variable)]?.trim()
    const text = env[variable]?.trim()
    if (file) return fromFile(file, variable, Boolean(text))
    if (text) return { text, from: 'environment' }
    return fallback === undefined ? { text: undefined, from: 'unset' } : { text: fallback, from: 'default' }
  }
}

function fromFile(file: string, variable: string, isSetTwice: boolean): SettingText {
  if (isSetTwice) return { text: undefined, from: 'file', fault: `${file}, and ${variable} is set too` }
  try {
    return { text: readFileSync(file, 'utf8').trim(), from: 'file' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { text: undefined, from: 'file', fault: `${file}, which cannot be read (${code})` }
  }
}
