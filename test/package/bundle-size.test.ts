import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProcess } from '../cli/cli-process.js'

const cwd = fileURLToPath(new URL('../../', import.meta.url))

describe('the size that the entry points add to a page, minified and gzipped', () => {
  it('stays small', async () => {
    const { stdout, stderr } = await startProcess(process.execPath, ['bench/bundle-size.js', '--json'], {
      cwd,
    }).ended
    expect(stderr).toBe('')
    const sizes = JSON.parse(stdout)
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeLessThan(60_000)
    expect(sizes['dashboard-api/browser, what it loads later']).toBeLessThan(8_000)
    expect(sizes['dashboard-api/client']).toBeLessThan(3_000)
    expect(sizes['dashboard-api/panel, the launcher']).toBeLessThan(3_000)
    expect(sizes['the workbench, when it is opened']).toBeLessThan(40_000)
    // Neither bundle is empty.
    expect(sizes['dashboard-api/browser, beyond msw/browser']).toBeGreaterThan(10_000)
    expect(sizes['dashboard-api/client']).toBeGreaterThan(300)
    expect(sizes['dashboard-api/panel, the launcher']).toBeGreaterThan(1_000)
    expect(sizes['the workbench, when it is opened']).toBeGreaterThan(15_000)
  })
  it('is not reported before the package is built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bundle-size-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await Promise.all(
      ['package.json', 'bench/bundle-size.js', 'bench/require-build.js'].map((file) =>
        cp(join(cwd, file), join(folder, file)),
      ),
    )
    await symlink(join(cwd, 'node_modules'), join(folder, 'node_modules'))
    const { code, stdout, stderr } = await startProcess(process.execPath, ['bench/bundle-size.js'], {
      cwd: folder,
    }).ended
    expect(stderr).toBe('There is nothing to measure: run `npm run build` first.\n')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})
