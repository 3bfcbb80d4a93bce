import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from './executable.js'

const isRoot = process.getuid?.() === 0

/**
 * Starts a real Chromium, without a window, that speaks with nobody on its own account.
 * One for a test file; each test makes a context of its own in it, with cookies, storage and workers of its own.
 */
export async function launchBrowser(): Promise<Browser> {
  const { path, env } = await findBrowser()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: [
      // No name is looked up: a page's picture from elsewhere fails at once, here as everywhere.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      // Containers give /dev/shm too little room for a page.
      '--disable-dev-shm-usage',
      // Chromium refuses to be sandboxed as root, which is who one is in a container.
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
  })
}
