import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The default locations of Chrome and Chromium, by platform. */
const usualPaths: Partial<Record<NodeJS.Platform, (env: NodeJS.ProcessEnv) => string[]>> = {
  linux: ({ PATH = '' }) =>
    ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'].flatMap((name) =>
      PATH.split(delimiter).map((folder) => join(folder, name)),
    ),
  darwin: ({ HOME = '' }) =>
    ['', HOME].flatMap((root) => [
      `${root}/Applications/Google Chrome.app/Contents/MacOS/Google Chrome`,
      `${root}/Applications/Chromium.app/Contents/MacOS/Chromium`,
    ]),
  win32: ({ PROGRAMFILES = '', 'PROGRAMFILES(X86)': x86 = '', LOCALAPPDATA = '' }) =>
    [PROGRAMFILES, x86, LOCALAPPDATA].flatMap((root) => [
      join(root, 'Google/Chrome/Application/chrome.exe'),
      join(root, 'Chromium/Application/chrome.exe'),
    ]),
}

export type BrowserExecutable = { path: string; env: Record<string, string> }

/**
 * Finds the browser for the tests: `CHROME_PATH`, Chrome or Chromium of the system, or the one installed by npm.
 * @throws Error if `CHROME_PATH` does not exist, or there is no browser for this platform
 */
export async function findBrowser(env = process.env): Promise<BrowserExecutable> {
  if (env.CHROME_PATH) {
    if (existsSync(env.CHROME_PATH)) return { path: env.CHROME_PATH, env: {} }
    throw new Error(`CHROME_PATH is ${env.CHROME_PATH}, which does not exist.`)
  }
  const installed = usualPaths[process.platform]?.(env).find((path) => existsSync(path))
  if (installed) return { path: installed, env: {} }
  if (process.platform === 'linux' && process.arch === 'x64') return unpacked()
  throw new Error('Found no Chrome or Chromium. Install one, or set CHROME_PATH.')
}

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/**
 * Unpacks the Chromium of @sparticuz/chromium once. The package unpacks into TMPDIR, which is set to a scratch folder. The
 * folder is then renamed, so that concurrent test files never see a partial one.
 */
async function unpacked(): Promise<BrowserExecutable> {
  const folder = join(cache, 'chromium')
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const scratch = await mkdtemp(join(cache, 'unpacking-'))
    await inTemporaryFolder(scratch, async () => {
      const { default: chromium } = await import('@sparticuz/chromium')
      await chromium.executablePath()
    })
    await writeFile(join(scratch, 'fonts', 'fonts.conf'), fontsConfig(join(folder, 'fonts')))
    // Fails if another test file was faster, with the same result.
    await rename(scratch, folder).catch(() => rm(scratch, { recursive: true }))
  }
  return { path: join(folder, 'chromium'), env: { FONTCONFIG_PATH: join(folder, 'fonts') } }
}

/** Uses only the fonts of the package, so that pages look the same on every machine. */
const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`

async function inTemporaryFolder(folder: string, act: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await act()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
