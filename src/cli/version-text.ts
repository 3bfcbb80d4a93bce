import { knownVersions } from '../store/database-version.js'
import { packageCommit, packageVersion } from './package.js'

/** The output of `--version`: the version in a line of its own, the commit, and the newest schema versions that are known. */
export const versionText = (): string => `${packageVersion()}
commit: ${packageCommit()}
schema: SQLite ${knownVersions.sqlite}, PostgreSQL ${knownVersions.postgres}`
