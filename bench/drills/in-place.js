// A defect, for the control of `mock-killed.js`: a file is written in place, and not beside itself and then renamed. Loaded
// before the mock (`--import`).
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
