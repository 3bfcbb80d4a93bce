import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isBuilt } from '../../scripts/is-built.js'
import { emptyFolder } from '../cli/cli-process.js'

// `npm run dev` and `npm start` build only what has changed since.

/** A checkout, whose files are all of one time, with a build of a minute later. */
function checkout() {
  const root = emptyFolder()
  const at = (path: string, minute: number) => utimesSync(join(root, path), minute * 60, minute * 60)
  const write = (path: string, minute: number) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
    at(path, minute)
  }
  for (const path of ['src/cli/main.ts', 'workbench/main.tsx', 'package.json', '.git/logs/HEAD'])
    write(path, 1)
  for (const folder of ['src/cli', 'src', 'workbench']) at(folder, 1)
  write('dist/executable/main.js', 2)
  return { root, write, at }
}

test('a build that is newer than its sources is used again', () => {
  const { root, write } = checkout()
  expect(isBuilt(root)).toBe(true)
  write('README.md', 3)
  write('dist/executable/main.js', 3)
  expect(isBuilt(root)).toBe(true)
})

test.each<[string, (made: ReturnType<typeof checkout>) => void]>([
  ['there is none', ({ root }) => rmSync(join(root, 'dist'), { recursive: true })],
  ['a source was changed', ({ write }) => write('src/cli/main.ts', 3)],
  ['a source was removed', ({ root }) => rmSync(join(root, 'src/cli/main.ts'))],
  ['a dependency was updated', ({ write }) => write('package-lock.json', 3)],
  ['another commit was checked out', ({ write }) => write('.git/logs/HEAD', 3)],
])('it is built where %s', (_, change) => {
  const made = checkout()
  change(made)
  expect(isBuilt(made.root)).toBe(false)
})
