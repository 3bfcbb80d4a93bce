import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { passwordInFile, readPassword } from '../../../src/store/postgres/read-password.js'

const login = { host: 'db', port: 5432, database: 'dash', user: 'ada' }

test.each([
  ['db:5432:dash:ada:secret', 'secret'],
  ['other:5432:dash:ada:no\ndb:5432:*:ada:first\n*:*:*:*:second', 'first'],
  ['# db:5432:dash:ada:no\n*:*:*:*:yes\r\n', 'yes'],
  ['db:5432:dash:ada:a\\:b\\\\c', 'a:b\\c'],
  ['db:5433:dash:ada:no', undefined],
  ['db:5432:dash:ada', undefined],
  ['', undefined],
])('the password in a password file: %j', (text, expected) => {
  expect(passwordInFile(text, login)).toBe(expected)
})

test('the sources of a password, in order', async () => {
  const env = { PGPASSWORD: 'environment', PGPASSFILE: '/none' }
  expect(await readPassword(login, { given: 'address', env })).toBe('address')
  expect(await readPassword(login, { env })).toBe('environment')
  expect(await readPassword(login, { env: { PGPASSFILE: '/none' } })).toBeUndefined()
  await expect(readPassword(login, { passwordFile: '/none', env })).rejects.toThrow('ENOENT')
  const folder = mkdtempSync(`${tmpdir()}/password-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const passwordFile = `${folder}/password`
  for (const text of ['file', 'file\n', '\uFEFFfile\r\n']) {
    writeFileSync(passwordFile, text)
    expect(await readPassword(login, { passwordFile, env })).toBe('file')
  }
})
