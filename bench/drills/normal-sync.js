// A defect, for the control of `power-cut.js`: with `synchronous=NORMAL`, SQLite does not flush the log at a commit.
// Loaded before the service (`--import`).
import { createRequire } from 'node:module'

const { Database } = createRequire(import.meta.url)('sqlite3')
const { exec } = Database.prototype
Database.prototype.exec = function (script, ...rest) {
  return exec.call(this, script.replace('synchronous = FULL', 'synchronous = NORMAL'), ...rest)
}
