// Copies the declarations that the entry points of the package need into dist/types, and no others.
import { cpSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const entries = Object.values(exports).flatMap(({ types }) => types ?? [])
const needed = new Set(entries.map((types) => types.replace('./dist/types/', '')))
// The set grows while it is walked.
for (const file of needed) {
  const text = readFileSync(join(root, 'dist', file), 'utf8')
  for (const [, specifier] of text.matchAll(/\b(?:from|import)[ (]['"](\.[^'"]+)\.js['"]/g))
    needed.add(normalize(join(file, '..', `${specifier}.d.ts`)))
}
for (const file of needed) cpSync(join(root, 'dist', file), join(root, 'dist/types', file))
