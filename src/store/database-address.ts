// Without zod and without a driver: the command line loads this at every start.

/** The address of a PostgreSQL server, or of what stands before it. */
export type PostgresAddress = {
  kind: 'postgres'
  /** The address without a password, for messages. */
  name: string
  /** The address as it was written; it may have a password. */
  url: string
}

/** The SQLite file that is used unless another database is chosen. Only its folder is created. */
export const defaultDatabaseFile = 'data/dashboard.db'

/** The path of a SQLite file. */
export type FileAddress = { kind: 'sqlite'; name: string; file: string }

export type DatabaseAddress = FileAddress | PostgresAddress

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
 * Tells the path of a SQLite file from the address of a PostgreSQL server, `postgres://…` or `postgresql://…`. What such an
 * address says is read when it is opened.
 * @returns undefined for an address of another kind, and for a blank text
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | undefined {
  if (text !== text.trim() || text === '') return undefined
  if (/^postgres(?:ql)?:\/\//i.test(text)) return { kind: 'postgres', name: nameOf(text), url: text }
  return otherAddresses.some((form) => form.test(text))
    ? undefined
    : { kind: 'sqlite', name: text, file: text }
}

/** A password between the user and the host. An `@` behind the host means that it may be elsewhere. */
const usualPassword = /^([^/]*\/\/[^:/?#@]*):[^/?#]*@(?=[^@]*$)/

const nameOf = (url: string): string => withoutPassword(url.replace(usualPassword, '$1@'))

/** Whether the address of a server has a password. */
export function hasPassword(text: string): boolean {
  const address = parseDatabaseAddress(text)
  return address?.kind === 'postgres' && address.name !== text
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
