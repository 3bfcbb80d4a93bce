// Without zod: the command line loads this at every start.

/** The address of a PostgreSQL database. */
export type PostgresAddress = {
  kind: 'postgres'
  /** The address without a password, for messages. */
  name: string
  hosts: { host: string; port?: number }[]
  user?: string
  password?: string
  database?: string
  parameters: { [Name in Parameter]?: string }
}

/** The SQLite file that is used unless another database is chosen. Only its folder is created. */
export const defaultDatabaseFile = 'data/dashboard.db'

/** The path of a SQLite file. */
export type FileAddress = { kind: 'sqlite'; name: string; file: string }

export type DatabaseAddress = FileAddress | PostgresAddress

/** The parameters of a PostgreSQL address that are known, with their values; any text where there are none. */
const parameterValues = {
  host: undefined,
  port: undefined,
  sslmode: ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'],
  sslrootcert: undefined,
  sslcert: undefined,
  sslkey: undefined,
  target_session_attrs: ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'],
  application_name: undefined,
} as const
type Parameter = keyof typeof parameterValues

type Environment = Record<string, string | undefined>

/** The variable of libpq that stands for a parameter. */
const variableOf = (parameter: string) => `PG${parameter.replaceAll('_', '').toUpperCase()}`

export const addressVariables = Object.keys(parameterValues).map(variableOf)

const addressPattern =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^/?@]*)(?:\/(?<database>[^?/]*))?(?:\?(?<query>.*))?$/i

/**
 * What is no path of a file, but an address in a form that is not read: a scheme, a user or a port before a host, keys with
 * values such as `host=…`, quotes or spaces around it. A file with such a name is written as `./NAME`.
 */
const otherAddresses = [
  /:\/\//,
  /^(?:jdbc|postgres(?:ql)?|psql|pg|mysql|mariadb|mssql|sqlserver|mongodb|redis|sqlite|file)\w*:/i,
  /^psql\s/i,
  /^[\w ]+=/,
  /\b(?:password|passwd|pwd)\s*=/i,
  /^[^/\\]*@/,
  /^(?![a-z]:[/\\]).*:.*@/is,
  /^[^/\\]+:\d+(?:$|[/?])/,
  /^["'`<([{]/,
]

/**
 * Parses the address of a database: the path of a SQLite file, or `postgres://…` (`postgresql://…`) as in libpq, with
 * several hosts and the parameters above.
 * @param env completes what the address leaves out; an empty variable counts as unset
 * @returns undefined for an address of another kind, one that is not valid, and a blank one
 */
export function parseDatabaseAddress(text: string, env: Environment = {}): DatabaseAddress | undefined {
  if (text !== text.trim() || text === '') return undefined
  const { groups } = addressPattern.exec(text) ?? {}
  if (!groups) {
    const isFile = !otherAddresses.some((pattern) => pattern.test(text))
    return isFile ? { kind: 'sqlite', name: text, file: text } : undefined
  }
  const { user, password, hosts = '', database, query = '' } = groups
  try {
    const given: Environment = Object.fromEntries(new URLSearchParams(query.replaceAll('+', '%2B')))
    const parameters = parseParameters(given, env)
    const own = hosts === '' ? [] : parseHosts(hosts)
    // As in libpq, parameters of the address count before its hosts and ports, and these before the environment.
    const isOwn = own && own.length > 0 && !given.host
    const named = isOwn ? own : parseHosts(withBrackets(parameters?.host || 'localhost'))
    if (!parameters || !own || !named) return undefined
    const withPorts = [named, own].find((list) => list.some(({ port }) => port))
    const ports = given.port ?? withPorts?.map(({ port }) => port).join() ?? parameters.port ?? ''
    const places = placesOf(named, ports.split(','))
    if (!places) return undefined
    return {
      kind: 'postgres',
      name: text.replace(`:${password}@`, '@'),
      hosts: places,
      parameters,
      ...(user && { user: decodeURIComponent(user) }),
      ...(password && { password: decodeURIComponent(password) }),
      ...(database && { database: decodeURIComponent(database) }),
    }
  } catch {
    // A percent sign that begins no byte.
    return undefined
  }
}

/** Whether the address of a server has a password. */
export function hasPassword(text: string): boolean {
  const address = parseDatabaseAddress(text)
  return address?.kind === 'postgres' && address.password !== undefined
}

/**
 * A text as it may be shown, without the password of an address: between a user and the host, or the value of a key. In
 * doubt more is left out, since a password may have any character.
 */
export const withoutPassword = (text: string): string =>
  text
    .replace(/(\/\/[^:/?@\s]*):.*@/s, '$1:…@')
    .replace(/(\/\/[^:/?@\s[,]*):(?!\d+(?:[,/?#]|$))[^@]*$/s, '$1:…')
    .replace(/^([^:/\\@]*):(?!\/\/).*@/s, '$1:…@')
    .replace(/([?&](?:\w*(?:password|passwd|pwd|secret|token)|(?:hex)?key)=)[^&]*/gi, '$1…')
    .replace(/((?:^|[^?&\w])\w*(?:password|passwd|pwd|secret|token)\s*=\s*).*/is, '$1…')

function parseParameters(given: Environment, env: Environment): PostgresAddress['parameters'] | undefined {
  if (Object.keys(given).some((name) => !Object.hasOwn(parameterValues, name))) return undefined
  const parameters: PostgresAddress['parameters'] = {}
  for (const name of Object.keys(parameterValues) as Parameter[]) {
    const value = given[name] ?? (env[variableOf(name)] || undefined)
    const values: readonly string[] | undefined = parameterValues[name]
    if (value !== undefined && values && !values.includes(value)) return undefined
    if (value !== undefined) parameters[name] = value
  }
  return parameters
}

/** In a parameter, addresses of IPv6 have no brackets. */
const withBrackets = (hosts: string): string => hosts.replace(/(?<=^|,)[^,[]*:[^,]*:[^,]*/g, '[$&]')

const hostPattern = /^(?:\[(?<ipv6>[\da-f:.]+(?:%\w+)?)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/i

/** Names, addresses (IPv6 in brackets) or folders of sockets, each with or without a port. */
function parseHosts(text: string): { host: string; port?: string }[] | undefined {
  const hosts: { host: string; port?: string }[] = []
  for (const each of text.split(',')) {
    const item = hostPattern.exec(each)?.groups
    if (!item) return undefined
    const { ipv6, name = '', port } = item
    hosts.push({ host: ipv6 ?? decodeURIComponent(name), ...(port && { port }) })
  }
  return hosts
}

/** @param ports those of the hosts, or one for all; an empty one is the default */
function placesOf(hosts: { host: string }[], ports: string[]): PostgresAddress['hosts'] | undefined {
  const isPort = (port: string) =>
    port === '' || (/^\d+$/.test(port) && Number(port) > 0 && Number(port) <= 65_535)
  if (!ports.every(isPort) || (ports.length > 1 && ports.length !== hosts.length)) return undefined
  return hosts.map(({ host }, i) => {
    const port = ports[i] ?? ports[0]
    return { host, ...(port && { port: Number(port) }) }
  })
}
