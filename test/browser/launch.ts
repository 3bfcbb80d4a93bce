import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../programs/find-browser.js'

const isRoot = process.getuid?.() === 0

/**
 * Starts a headless Chromium without background network traffic. A test file uses one; each test creates its own
 * context, with separate cookies, storage and workers.
 * @param hosts other names of this machine
 */
export async function launchBrowser(hosts: readonly string[] = []): Promise<Browser> {
  const { path, env } = await findBrowser()
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    args: [
      // No DNS look-ups: pictures from other hosts fail immediately on every machine.
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1, `).join('')}MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      // In containers /dev/shm is often too small.
      '--disable-dev-shm-usage',
      // Chromium's sandbox does not run as root, the usual user in a container.
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
  })
}
