import { packageCommit, packageVersion } from './package.js'

/** What `--version` prints: the version in a line of its own, the commit, and the newest schema versions that are known. */
export async function versionText(): Promise<string> {
  const [{ knownVersion }, { knownPostgresVersion }] = await Promise.all([
    import('../store/sqlite/schema-version.js'),
    import('../store/postgres/migrate.js'),
  ])
  return `${packageVersion()}
commit: ${packageCommit()}
schema: SQLite ${knownVersion}, PostgreSQL ${knownPostgresVersion}`
}
