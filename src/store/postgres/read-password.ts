import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

type Login = { host: string; port: number; user: string; database: string }

type PasswordSources = {
  /** The password of the address. */
  given?: string
  /** A file that has only the password. */
  passwordFile?: string
  env: Record<string, string | undefined>
}

/**
 * The password for a login: of the address, else of its file, else PGPASSWORD, else the matching line of PGPASSFILE
 * (`~/.pgpass`). It is undefined where there is none, and the server may not ask for it.
 * @throws the system's error where the password file cannot be read
 */
export async function readPassword(
  login: Login,
  { given, passwordFile, env }: PasswordSources,
): Promise<string | undefined> {
  if (given !== undefined) return given
  // Editors put a byte order mark before a text, and an end of line behind it.
  if (passwordFile) return (await readFile(passwordFile, 'utf8')).replace(/^\uFEFF|\r?\n$/g, '')
  if (env.PGPASSWORD) return env.PGPASSWORD
  const text = await readPassFile(env.PGPASSFILE).catch(() => '')
  return passwordInFile(text, login)
}

/** Fails also for a user without a home, as in a container that chose its id. */
const readPassFile = async (file?: string) => readFile(file || join(homedir(), '.pgpass'), 'utf8')

/** The password of the first matching line `host:port:database:user:password`; `*` matches everything. */
export function passwordInFile(text: string, { host, port, database, user }: Login): string | undefined {
  const wanted = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    // A backslash escapes a colon and itself.
    const fields = [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)].map(([, field = '']) =>
      field.replace(/\\(.)/g, '$1'),
    )
    const matches = wanted.every((value, i) => fields[i] === '*' || fields[i] === value)
    if (matches && fields[4]) return fields[4]
  }
  return undefined
}
