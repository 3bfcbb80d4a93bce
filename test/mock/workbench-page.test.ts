import { readdir, stat } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { workbenchFile } from '../../src/mock/workbench-page.js'

it('is smaller than 40 kB', async () => {
  const folder = new URL('../../workbench/', import.meta.url)
  const sizes = (await readdir(folder)).map(async (name) => (await stat(new URL(name, folder))).size)
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(40_000)
})

it('allows only its own scripts', async () => {
  const page = await workbenchFile('/__dev/')
  expect(page?.status).toBe(200)
  expect(page?.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; (?!.*unsafe)/,
  )
  expect(await workbenchFile('/__dev/other.js')).toBeUndefined()
})
