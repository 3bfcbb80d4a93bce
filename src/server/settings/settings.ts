import { isIP } from 'node:net'
import * as z from 'zod'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import { parseDuration } from './duration.js'
import { settingSource } from './setting-source.js'
import { presets, type Setting, type SettingName, settingNames, settingsTable } from './settings-table.js'

/** A schema of the values that `parse` makes something of. */
const from = <Value>(parse: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue('not what is expected')
    return z.NEVER
  })

const listOf = <Item>(parse: (item: string) => Item | undefined) =>
  from((text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
      .map(parse)
    return items.includes(undefined) ? undefined : (items as Item[])
  })

const origin = (text: string) => {
  const url = httpUrl(text)
  return url && url.href === `${url.origin}/` ? url.origin : undefined
}

/** An address, or a network of them. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return text === 'loopback'
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** A number within a time; `off` is none. */
const rate = (text: string): { max: number; ms: number } | 'off' | undefined => {
  if (text === 'off') return text
  const [, max, time] = text.match(/^(\d{1,9})\/(\w+)$/) ?? []
  const ms = parseDuration(time ?? '')
  return ms && Number(max) > 0 ? { max: Number(max), ms } : undefined
}

const claim = z.string().regex(/\S/)

const hostName = z.string().regex(/^\S+$/)
const portNumber = from((text) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
)

/** What each setting of the table is parsed with. */
const schemas = {
  host: hostName,
  port: portNumber,
  database: z.string().regex(/\S/),
  sessionSecret: from((text) => {
    const secrets = text.split(',').map((secret) => secret.trim())
    return secrets.every((secret) => Buffer.byteLength(secret) >= 32) ? secrets : undefined
  }),
  publicUrl: from(origin).optional(),
  docsUrl: from((text) => {
    const url = httpUrl(text)
    return url && !url.search && !url.hash ? url.href.replace(/\/+$/, '') : undefined
  }).optional(),
  sessionTtl: from(parseDuration),
  sessionIdle: from(parseDuration),
  drainDelay: from(parseDuration).optional(),
  metricsToken: z
    .string()
    .regex(/^[!-~]{16,}$/)
    .optional(),
  metricsPort: portNumber.optional(),
  metricsHost: hostName,
  sessionCookie: z.enum(['session', '__Host-session']),
  oidcIssuer: from((text) => {
    const url = httpUrl(text)
    const isPrivate = url && (url.protocol === 'https:' || isLoopbackHttpUrl(text))
    return isPrivate && !url.search && !url.hash ? text : undefined
  }).optional(),
  oidcClientId: z.string().regex(/\S/).optional(),
  oidcClientSecret: z.string().regex(/\S/).optional(),
  oidcPreset: z.enum(presets).optional(),
  oidcScopes: z.string().regex(/(^|\s)openid(\s|$)/),
  oidcAudience: z.string().regex(/\S/).optional(),
  oidcAccessClaims: z.enum(['id-token', 'access-token']),
  oidcOrganizationClaim: claim,
  oidcPermissionsClaim: claim,
  oidcEmailClaim: claim,
  oidcGivenNameClaim: claim,
  oidcFamilyNameClaim: claim,
  oidcPictureClaim: claim,
  defaultPermissions: listOf((item) => item),
  provisionTeams: z.enum(['true', 'false']).transform((text) => text === 'true'),
  allowedOrigins: listOf(origin),
  trustProxy: listOf((item) => (isNetwork(item) ? item : undefined)),
  waitlistRate: from(rate),
  signInRate: from(rate),
  maxConnections: from((text) => {
    const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
    return count >= 1 && count <= 100_000 ? count : undefined
  }),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
} as const satisfies Record<SettingName, z.ZodType>

/** Lengths of time are in milliseconds. */
export type Settings = { [Name in SettingName]: z.output<(typeof schemas)[Name]> }

/** What a setting that is right by itself may break together with others. */
const broken: { [Name in SettingName]?: (settings: Partial<Settings>) => boolean } = {
  sessionCookie: ({ sessionCookie, publicUrl }) =>
    sessionCookie === '__Host-session' && publicUrl !== undefined && !publicUrl.startsWith('https:'),
  oidcIssuer: ({ oidcIssuer, oidcClientId }) => oidcClientId !== undefined && oidcIssuer === undefined,
  oidcClientId: ({ oidcIssuer, oidcClientId }) => oidcIssuer !== undefined && oidcClientId === undefined,
}

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
  const source = settingSource(env, flags)
  const text = (name: SettingName) => source(name).text

  const parsed = names.map((name) => [name, schemas[name].safeParse(text(name))] as const)
  const settings = Object.fromEntries(parsed.map(([name, { data }]) => [name, data])) as Pick<Settings, Name>
  const faulty = parsed
    .filter(([name, { success }]) => !success || broken[name]?.(settings))
    .map(([name]) => name)
  if (faulty.length === 0) return settings

  throw new SettingsError(
    faulty.map((name) => {
      const { env: variable, flag, expected, remedy, secret } = row(name)
      const got = secret && text(name) ? 'a value that is not shown here' : withoutPassword(text(name))
      return { setting: (flags[name] !== undefined && flag) || variable, expected, got, remedy }
    }),
  )
}

function describe({ setting, expected, got, remedy }: SettingFault): string {
  const came = got === undefined ? 'it is not set' : `got ${JSON.stringify(got)}`
  return `${setting}: expected ${expected}; ${came}.${remedy ? ` ${remedy}` : ''}`
}

/** A refused value as it may be shown: a URL may carry a password. */
const withoutPassword = (text: string | undefined): string | undefined =>
  text?.replace(/\/\/[^/@\s]*@/g, '//…@')

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
