// A defect, for the control of `mock-killed.js`: files are written in place, instead of to a temporary file that is renamed.
// Loaded before the mock (`--import`).
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const { open, rename } = fs
const temporary = /\/\.([^/]+)\.[0-9a-f-]{36}\.tmp$/
fs.open = (path, flags, mode) =>
  temporary.test(path) ? open(path.replace(temporary, '/$1'), 'w', mode) : open(path, flags, mode)
fs.rename = async (from, to) => {
  if (!temporary.test(from)) await rename(from, to)
}
syncBuiltinESMExports()
