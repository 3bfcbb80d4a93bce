import * as z from 'zod'
import { parseDuration } from './duration.js'
import { type Setting, type SettingName, settingNames, settingsTable } from './settings-table.js'

/** A schema of the values that `parse` makes something of. */
const from = <Value>(parse: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue('not what is expected')
    return z.NEVER
  })

/** What each setting of the table is parsed with. */
const schemas = {
  host: z.string().regex(/^\S+$/),
  port: from((text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)),
  database: z.string().regex(/\S/),
  sessionSecret: from((text) => {
    const secrets = text.split(',').map((secret) => secret.trim())
    return secrets.every((secret) => Buffer.byteLength(secret) >= 32) ? secrets : undefined
  }),
  publicUrl: from((text) => {
    const url = httpUrl(text)
    return url && url.href === `${url.origin}/` ? url.origin : undefined
  }).optional(),
  docsUrl: from((text) => {
    const url = httpUrl(text)
    return url && !url.search && !url.hash ? url.href.replace(/\/+$/, '') : undefined
  }).optional(),
  sessionTtl: from(parseDuration),
  sessionIdle: from(parseDuration),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
} as const satisfies Record<SettingName, z.ZodType>

/** Lengths of time are in milliseconds. */
export type Settings = { [Name in SettingName]: z.output<(typeof schemas)[Name]> }

/** What is wrong with one setting; `got` is undefined where nothing was set. */
export type SettingFault = { setting: string; expected: string; got?: string; remedy?: string }

/** Settings that were refused, with every fault found; no secret's value is in it. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  readonly faults: SettingFault[]

  constructor(faults: SettingFault[]) {
    super(faults.map(describe).join('\n'))
    this.faults = faults
  }
}

/**
 * Reads settings: a flag wins over the environment, and that over the default. An empty variable is not set.
 * @param flags values of flags as they were written, by the setting's name
 * @param names which settings are needed; the others are not looked at. All, if left out
 * @throws SettingsError with all faults at once
 */
export function readSettings<Name extends SettingName = SettingName>(
  env: Record<string, string | undefined>,
  flags: { [Name in SettingName]?: string | undefined } = {},
  names: readonly Name[] = settingNames as Name[],
): Pick<Settings, Name> {
  const row = (name: SettingName): Setting => settingsTable[name]
  const text = (name: SettingName) => flags[name] ?? (env[row(name).env] || row(name).default)

  const schema = z.object(Object.fromEntries(names.map((name) => [name, schemas[name]])))
  const parsed = schema.safeParse(Object.fromEntries(names.map((name) => [name, text(name)])))
  if (parsed.success) return parsed.data as Pick<Settings, Name>

  const faulty = names.filter((name) => parsed.error.issues.some(({ path }) => path[0] === name))
  throw new SettingsError(
    faulty.map((name) => {
      const { env: variable, flag, expected, remedy, secret } = row(name)
      const got = secret && text(name) ? 'a value that is not shown here' : text(name)
      return { setting: (flags[name] !== undefined && flag) || variable, expected, got, remedy }
    }),
  )
}

function describe({ setting, expected, got, remedy }: SettingFault): string {
  const came = got === undefined ? 'it is not set' : `got ${JSON.stringify(got)}`
  return `${setting}: expected ${expected}; ${came}.${remedy ? ` ${remedy}` : ''}`
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
