import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startProcess } from '../cli/cli-process.js'

const cwd = fileURLToPath(new URL('../../', import.meta.url))

describe('the size that the entry points add to a page, minified and gzipped', () => {
  it('stays small', async () => {
    const { stdout, stderr } = await startProcess(process.execPath, ['bench/bundle-size.js', '--json'], {
      cwd,
    }).ended
    expect(stderr).toBe('')
    const sizes = JSON.parse(stdout)
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeLessThan(73_000)
    // Of @mswjs/data it has what the mock uses. Only the first request for data waits for it.
    expect(sizes['dashboard-api/browser, loaded later']).toBeLessThan(36_000)
    expect(sizes['dashboard-api/client']).toBeLessThan(3_000)
    expect(sizes['dashboard-api/panel, the launcher']).toBeLessThan(3_500)
    expect(sizes['the workbench, when it is opened']).toBeLessThan(67_000)
    // The bundles are not empty.
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeGreaterThan(10_000)
    expect(sizes['dashboard-api/client']).toBeGreaterThan(300)
    expect(sizes['dashboard-api/panel, the launcher']).toBeGreaterThan(1_000)
    expect(sizes['the workbench, when it is opened']).toBeGreaterThan(15_000)
  })
})
