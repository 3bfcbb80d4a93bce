declare module 'pgpass' {
  type Login = { host: string; port: number; user: string; database: string }
  /** Gives the password of the first line of PGPASSFILE, or `~/.pgpass`, that matches; undefined where none does. */
  function readPassFile(login: Login, done: (password: string | undefined) => void): void
  export = readPassFile
}
