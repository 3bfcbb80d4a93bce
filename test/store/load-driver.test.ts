import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadDriver } from '../../src/store/load-driver.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'driver-'))
  mkdirSync(join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Installs sqlite3 with a changed binary. */
function install(change: (binary: Buffer) => Buffer) {
  for (const name of ['sqlite3', 'bindings', 'file-uri-to-path']) {
    cpSync(`node_modules/${name}`, join(folder, 'node_modules', name), { recursive: true, dereference: true })
  }
  const file = join(folder, 'node_modules/sqlite3/build/Release/node_sqlite3.node')
  const binary = readFileSync(file)
  // The file of the checkout may be a link.
  rmSync(file)
  writeFileSync(file, change(binary))
}
const load = () => loadDriver('sqlite3', createRequire(join(folder, 'index.js')))

const isGlibc =
  process.platform === 'linux' &&
  'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header
test.skipIf(!isGlibc)(
  'a binary for a newer C library leads to an error with its version and the remedy',
  () => {
    install((binary) => Buffer.from(binary.toString('latin1').replaceAll('GLIBC_2.', 'GLIBC_9.'), 'latin1'))
    expect(load).toThrow(
      /cannot be loaded: .*version `GLIBC_9\.\d+' not found.*: npm rebuild sqlite3 --build-from-source\n/,
    )
  },
)

test('a binary of another platform leads to an error with the reason of the loader', () => {
  install(() => Buffer.from('not of this platform'))
  expect(load).toThrow(/cannot be loaded: .*node_sqlite3\.node.*: npm rebuild sqlite3 --build-from-source\n/)
})

test.skipIf(!isGlibc)(
  'a newer system is advised only where the C library is older than the binary needs',
  () => {
    install(() => Buffer.from('not of this platform'))
    const report = vi.spyOn(process.report, 'getReport')
    onTestFinished(() => report.mockRestore())
    for (const [glibcVersionRuntime, isOlder] of [
      ['2.36', true],
      ['2.38', false],
      ['2.41', false],
      ['3.0', false],
    ]) {
      report.mockReturnValue({ header: { glibcVersionRuntime } })
      if (isOlder)
        expect(load).toThrow('this one has glibc 2.36, and the binary that is downloaded needs 2.38')
      else expect(load).not.toThrow('newer system')
    }
  },
)

test('a missing dependency of the package is not called a missing package', () => {
  install((binary) => binary)
  rmSync(join(folder, 'node_modules/bindings'), { recursive: true })
  expect(load).toThrow(/cannot be loaded: Cannot find module 'bindings'/)
})

test('a missing package leads to an error with the command that installs it', () => {
  expect(load).toThrow(/needs the package sqlite3\. Install it with: npm install sqlite3$/)
})

test('a package without a binary leads to an error with the command that builds it', () => {
  install((binary) => binary)
  rmSync(join(folder, 'node_modules/sqlite3/build'), { recursive: true })
  expect(load).toThrow(/with: npm rebuild sqlite3$/)
})
