import { describe, expect, it } from 'vitest'
import { startProcess } from '../cli/cli-process.js'

describe('the size that the entry points add to a page, minified and gzipped', () => {
  it('stays small', async () => {
    const cwd = new URL('../../', import.meta.url).pathname
    const { stdout, stderr } = await startProcess(process.execPath, ['bench/bundle-size.js', '--json'], {
      cwd,
    }).ended
    expect(stderr).toBe('')
    const sizes = JSON.parse(stdout)
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeLessThan(45_000)
    expect(sizes['dashboard-api/client']).toBeLessThan(3_000)
    // Neither bundle is empty.
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeGreaterThan(10_000)
    expect(sizes['dashboard-api/client']).toBeGreaterThan(300)
  })
})
