declare module 'pgpass' {
  type Login = { host: string; port: number; user: string; database: string }
  /** Calls back with the password of the first matching line of PGPASSFILE, or `~/.pgpass`, or with undefined. */
  function readPassFile(login: Login, done: (password: string | undefined) => void): void
  export = readPassFile
}
