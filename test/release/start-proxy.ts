import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startProxy } from '../../bench/drills/proxies.js'

export type ProxyProgram = 'nginx' | 'caddy' | 'haproxy'

/** Starts a proxy in front of nodes, with its file in deploy/, without TLS. The proxy is stopped at the end of the test. */
export async function startTestedProxy(program: ProxyProgram, nodes: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'))
  // The workers of nginx run as another user if the test runs as root.
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return startProxy(program, nodes, { folder, onEnd: onTestFinished })
}
