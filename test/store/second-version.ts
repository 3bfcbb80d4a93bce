import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The second version of a database, for tests only. It adds a column, a table and indexes. */
const second = {
  sqlite: `ALTER TABLE projects ADD COLUMN priority TEXT NOT NULL DEFAULT 'normal';
CREATE INDEX projects_by_priority ON projects (team_id, priority);
CREATE TABLE labels (id TEXT PRIMARY KEY, project_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
`,
  postgres: `ALTER TABLE projects ADD COLUMN priority text COLLATE "C" NOT NULL DEFAULT 'normal';
CREATE INDEX projects_by_priority ON projects (team_id, priority);
CREATE TABLE labels (id text COLLATE "C" PRIMARY KEY, project_id text COLLATE "C" NOT NULL);
`,
}

const root = fileURLToPath(new URL('../..', import.meta.url))

function addSecond(folder: string): void {
  for (const [kind, sql] of Object.entries(second)) {
    writeFileSync(join(folder, kind, '0002-tests.sql'), sql)
  }
}

/** The migrations of a program of version 2, for `vi.mock` of `src/store/migrations-folder.js`. */
export function secondVersion(): { migrationsFolder: URL } {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(join(root, 'migrations'), folder, { recursive: true })
  addSecond(folder)
  return { migrationsFolder: pathToFileURL(`${folder}/`) }
}

/** Creates a program of version 2 from the built one. @param folder an empty folder @returns the path of the executable */
export function programOfSecondVersion(folder: string): string {
  for (const name of ['bin', 'dist/executable', 'fixtures', 'migrations', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  addSecond(join(folder, 'migrations'))
  return join(folder, 'bin/dashboard-api.js')
}
