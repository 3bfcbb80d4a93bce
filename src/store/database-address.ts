// Loads neither zod nor a driver: the command line imports this at every start.

/** The address of a PostgreSQL server, or of a pooler or balancer in front of it. */
export type PostgresAddress = {
  kind: 'postgres'
  /** The address without a password, for messages. */
  name: string
  /** The address as written; it may have a password. */
  url: string
}

/** The default SQLite file. Only its folder is created. */
export const defaultDatabaseFile = 'data/dashboard.db'

export type FileAddress = { kind: 'sqlite'; name: string; file: string }

export type DatabaseAddress = FileAddress | PostgresAddress

/**
 * Patterns of texts that look like a malformed address rather than a path: a scheme, a user or a port before a host, keys
 * such as `host=…`, quotes or spaces around it. A file with such a name is written as `./NAME`.
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
  /^:memory:$/i,
]

/**
 * Tells the path of a SQLite file from the address of a PostgreSQL server, `postgres://…` or `postgresql://…`. The address is
 * parsed when it is opened.
 * @returns undefined for another kind of address, and for a blank text
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  if (text !== text.trim() || text === '') return undefined
  if (/^postgres(?:ql)?:\/\//i.test(text)) return { kind: 'postgres', name: nameOf(text), url: text }
  return otherAddresses.some((form) => form.test(text))
    ? undefined
    : { kind: 'sqlite', name: text, file: text }
}

/** The parts of a URL, as the URL Standard divides it: user and password end at the last `@` before a slash, `?` or `#`. */
const urlParts =
  /^(?<scheme>[^:]*:\/\/)(?:(?<login>[^/?#]*)@)?(?<host>[^/?#]*)(?<path>[^?#]*)(?<query>[^#]*)(?<fragment>.*)$/s

/** The address without its password. Where an `@` follows that is not encoded, the password may be in a later part. */
function nameOf(url: string): string {
  const { scheme, login, host, path = '', query = '', fragment = '' } = urlParts.exec(url)?.groups ?? {}
  const pairs = query.slice(1).split('&')
  const isWhole = !/@/.test(path + fragment) && pairs.every((pair) => /^[\w%.-]*(=|$)/.test(pair))
  if (!isWhole) return withoutPassword(url)
  const user = login === undefined ? '' : `${login.replace(/:.*/s, '')}@`
  const shown = query && `?${pairs.map(withoutValueOfSecret).join('&')}`
  return `${scheme}${user}${host}${path}${shown}${fragment}`
}

const secretNames = /^(?:\w*(?:password|passwd|pwd|secret|token)|(?:hex)?key)$/i

const withoutValueOfSecret = (pair: string): string => {
  const [[name] = ['']] = new URLSearchParams(pair)
  return secretNames.test(name) ? `${pair.replace(/=.*/s, '')}=…` : pair
}

/** Whether the address of a server has a password. */
export function hasPassword(text: string): boolean {
  const address = parseDatabaseAddress(text)
  return address?.kind === 'postgres' && address.name !== text
}

/**
 * Removes the password of an address from a text: between user and host, or the value of a key. It may remove more, since a
 * password may contain any character.
 */
export const withoutPassword = (text: string): string =>
  text
    .replace(/(\/\/[^:]*):.*@/s, '$1:…@')
    .replace(/(\/\/[^:/?\s[,]*):(?!\d+(?:[,/?#]|$))[^@]*$/s, '$1:…')
    .replace(/^([^:/\\@]*):(?!\/\/).*@/s, '$1:…@')
    .replace(/([?&](?:\w*(?:password|passwd|pwd|secret|token)|(?:hex)?key)=)[^&]*/gi, '$1…')
    .replace(/((?:^|[^?&\w])\w*(?:password|passwd|pwd|secret|token)\s*=\s*).*/is, '$1…')
