import * as z from 'zod'
import { isUnspecifiedAddress } from '../../contract/host.js'
import { isLoopbackHttpUrl } from '../../contract/loopback.js'
import { parseDatabaseAddress } from '../../store/database-address.js'
import { clientAuths, parseClientKey } from './client-key.js'
import { durationWords, parseDuration } from './duration.js'
import { httpOrigin, httpUrl } from './http-url.js'
import { type ClaimNames, defaultClaims, type SettingName, type settingsTable } from './settings-table.js'

/** A text for a parser that returns undefined for an invalid text. */
const parsed = <Value>(parse: (text: string) => Value | undefined) =>
  z.string().transform((text, { issues }) => {
    const value = parse(text)
    if (value !== undefined) return value
    issues.push({ code: 'custom', input: text })
    return z.NEVER
  })
const parts = z.string().transform((text) => text.split(',').map((part) => part.trim()))
const list = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  parts.transform((all) => all.filter(Boolean)).pipe(z.array(item))

const nonBlank = z.string().regex(/\S/)
/** Also as in a URL: `[::1]`. */
const host = parsed((text) => /^\[?(?<name>\S+?)\]?$/.exec(text)?.groups?.name).describe(
  'a host name or an address',
)
const duration = parsed(parseDuration).describe(durationWords)
/** The time limit of a timer, which would fire at once beyond 24 days. */
const timerDuration = (parse: typeof parseDuration) =>
  parsed((text) => {
    const ms = parse(text)
    return ms !== undefined && ms <= 86_400_000 ? ms : undefined
  })
const trueOrFalse = z
  .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
  .describe('true or false')
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`a whole number from ${min} to ${max}`)
const rate = parsed((text) => {
  if (text === 'off') return text
  const [, max, time = ''] = text.match(/^(\d{1,9})\/(\w+)$/) ?? []
  const ms = parseDuration(time)
  return ms && Number(max) > 0 ? { max: Number(max), ms } : undefined
}).describe('a number within a length of time, e.g. 100/1m, or off')
/** `email=mail,picture=avatar` */
const claims = parsed((text): ClaimNames | undefined => {
  const names: Record<string, string> = { ...defaultClaims }
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const [, key = '', name = ''] = pair.match(/^\s*(\w+)\s*=\s*(.*\S)\s*$/) ?? []
    if (!Object.hasOwn(defaultClaims, key)) return undefined
    names[key] = name
  }
  return names as ClaimNames
})
const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32)
const network = z.union([z.literal('loopback'), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** Not normalised: it is compared with the provider's text. */
const issuer = z
  .string()
  .refine((text) => httpUrl(text) && (text.startsWith('https:') || isLoopbackHttpUrl(text)))
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The parser of each setting. Its description is the expected value. */
export const settingSchemas = {
  host,
  port: wholeNumber(0, 65_535),
  database: parsed(parseDatabaseAddress).describe(
    'the path of a SQLite file, or a PostgreSQL address such as postgres://user@host/database',
  ),
  databaseSetup: z.enum(['create', 'migrate', 'none']).describe('create, migrate or none'),
  databasePasswordFile: nonBlank.describe('the path of a file'),
  databasePoolSize: wholeNumber(2, 1000),
  databaseTimeout: timerDuration(parseDuration).describe('a length of time up to 1d, such as 5s'),
  sessionSecret: parts
    .pipe(z.array(secret))
    .describe('a secret of at least 32 bytes, or several separated by commas'),
  publicUrl: parsed(httpOrigin).describe('an http or https URL without path, e.g. https://api.example.com'),
  docsUrl: parsed((text) => httpUrl(text)?.href.replace(/\/+$/, '')).describe(
    'an http or https URL without query, e.g. https://docs.example.com/api',
  ),
  sessionTtl: duration,
  sessionIdle: duration,
  sessionCookie: z
    .enum(['session', '__Host-session'])
    .describe('session, or __Host-session where the public URL is https'),
  oidcIssuer: issuer.describe('an https URL, or http on loopback, e.g. https://example.kinde.com'),
  oidcClientId: nonBlank.describe('a client id; issuer and client id are set together or not at all'),
  oidcClientSecret: nonBlank.describe('a client secret; issuer and client id are set too'),
  oidcClientKey: parsed(parseClientKey).describe(
    'a private key as PEM (PKCS #8) or JWK, RSA, EC or Ed25519; issuer and client id are set too',
  ),
  oidcClientAuth: z
    .enum(clientAuths)
    .describe('basic or post with a client secret, private_key_jwt with a client key'),
  oidcScopes: z
    .string()
    .regex(/(^|\s)openid(\s|$)/)
    .describe('scopes separated by spaces, openid among them'),
  oidcAudience: nonBlank.describe('an audience, e.g. https://api.example.com'),
  oidcAccessClaims: z.enum(['id-token', 'access-token']).describe('id-token or access-token'),
  oidcClaims: claims.describe(
    `pairs separated by commas, e.g. email=mail,organization=https://x.example/org.code, of ${Object.keys(defaultClaims).join(', ')}`,
  ),
  defaultPermissions: list(z.string()).describe(
    'permissions separated by commas, e.g. create:projects,update:projects',
  ),
  provisionTeams: trueOrFalse,
  allowedOrigins: list(parsed(httpOrigin)).describe(
    'origins separated by commas, e.g. https://app.example.com',
  ),
  drainDelay: timerDuration((text) => (/^0[smhd]?$/.test(text) ? 0 : parseDuration(text))).describe(
    'a length of time up to 1d, such as 10s; or 0, as without it',
  ),
  metricsToken: z
    .string()
    .regex(/^[!-~]{16,}$/)
    .describe('at least 16 visible ASCII characters'),
  metricsAddress: parsed((text) => {
    const { name = '127.0.0.1', port } =
      /^(?:\[?(?<name>\S+?)\]?:)?(?<port>\d{1,5})$/.exec(text)?.groups ?? {}
    return Number(port) <= 65_535 ? { host: name, port: Number(port) } : undefined
  }).describe('a port other than that of the service, e.g. 9090 or 0.0.0.0:9090'),
  trustProxy: list(network).describe(
    'addresses, networks, or loopback, separated by commas, e.g. 10.0.0.0/8',
  ),
  waitlistRate: rate,
  auditProjects: trueOrFalse,
  maxConnections: wholeNumber(1, 100_000),
  maxProjectsPerTeam: wholeNumber(1, 100_000),
  auditRetention: duration
    .refine((ms) => ms >= 86_400_000)
    .describe('a length of time from 1d, such as 400d'),
  logLevel: z.enum(logLevels).describe(`one of ${logLevels.join(', ')}`),
} satisfies Record<SettingName, z.ZodType<unknown, string>>

/** The parsed settings. Durations are in milliseconds. */
export type Settings = {
  [Name in SettingName]:
    | z.infer<(typeof settingSchemas)[Name]>
    | ((typeof settingsTable)[Name] extends { default: string } | { required: true } ? never : undefined)
}

/** Whether two addresses cannot have the same port; `localhost` may mean IPv4 or IPv6. */
const overlap = (...hosts: (string | undefined)[]): boolean => {
  const [a = '', b = ''] = hosts.sort()
  return a === b || [a, b].some(isUnspecifiedAddress) || (b === 'localhost' && /^(127\.|::1$)/.test(a))
}

/** Whether a setting, which may be unset, conflicts with others. */
export const conflicts: { [Name in SettingName]?: (settings: Partial<Settings>) => boolean } = {
  sessionCookie: ({ sessionCookie, publicUrl = 'https:' }) =>
    sessionCookie === '__Host-session' && !publicUrl.startsWith('https:'),
  publicUrl: ({ publicUrl, oidcIssuer, host = '' }) =>
    publicUrl === undefined && oidcIssuer !== undefined && isUnspecifiedAddress(host),
  oidcIssuer: ({ oidcIssuer, oidcClientId }) => oidcClientId !== undefined && oidcIssuer === undefined,
  oidcClientId: ({ oidcIssuer, oidcClientId }) => oidcIssuer !== undefined && oidcClientId === undefined,
  oidcClientSecret: ({ oidcIssuer, oidcClientSecret }) =>
    oidcClientSecret !== undefined && oidcIssuer === undefined,
  oidcClientKey: ({ oidcIssuer, oidcClientKey }) => oidcClientKey !== undefined && oidcIssuer === undefined,
  oidcClientAuth: ({ oidcClientAuth, oidcClientKey, oidcClientSecret }) =>
    oidcClientAuth !== undefined &&
    (oidcClientAuth === 'private_key_jwt' ? oidcClientKey : oidcClientSecret) === undefined,
  metricsAddress: ({ port, host, metricsAddress: metrics }) =>
    metrics !== undefined && metrics.port > 0 && metrics.port === port && overlap(host, metrics.host),
}
