import { readdir, readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { workbenchFile } from '../../src/mock/workbench-page.js'

it('is smaller than 115 kB, compressed 41 kB', async () => {
  const folder = new URL('../../workbench/', import.meta.url)
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(new URL(name, folder))))
  const sizeOf = (contents: Buffer[]) => contents.reduce((sum, { length }) => sum + length, 0)
  expect(sizeOf(files)).toBeLessThan(115_000)
  expect(sizeOf(files.map((file) => gzipSync(file)))).toBeLessThan(41_000)
})

it('serves every file of the page, and no other', async () => {
  const names = await readdir(new URL('../../workbench/', import.meta.url))
  for (const name of names.filter((name) => name !== 'index.html')) {
    const file = await workbenchFile(`/__dev/${name}`)
    expect(file?.headers['content-type']).toMatch(/^text\/(css|javascript); charset=utf-8$/)
  }
  for (const path of [
    '/__dev/other.js',
    '/__dev/../package.json',
    '/__dev/%2e%2e/bin/x.js',
    '/__dev/',
    '/',
  ]) {
    expect([path, (await workbenchFile(path))?.status]).toEqual([path, path === '/__dev/' ? 200 : undefined])
  }
})

it('allows only its own scripts, in pages of its own origin', async () => {
  const page = await workbenchFile('/__dev/')
  expect(page?.status).toBe(200)
  expect(page?.headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; (?!.*unsafe).*frame-ancestors 'self'$/,
  )
})
