import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bin, emptyFolder, listening, sessionSecret, startProcess } from '../cli/cli-process.js'

const unit = readFileSync('deploy/dashboard-api.service', 'utf8')
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

// The Python of the system, not of a version manager.
const python = '/usr/bin/python3'
const hasSeccomp = spawnSync(python, ['-c', 'import seccomp']).status === 0
const families = settingOf('RestrictAddressFamilies').split(' ')
const script = fileURLToPath(new URL('restrict-families.py', import.meta.url))
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))

describe.skipIf(!hasSeccomp)('the address families of the systemd unit (needs python3-seccomp)', () => {
  const serve = (allowed: string[], host: string) => {
    const args = ['serve', '--port', '0', '--host', host, '--database', `${emptyFolder()}/a.db`, '--json']
    const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret }
    return startProcess(python, [script, allowed.join(','), process.execPath, bin, ...args], { env })
  }

  it.each(['127.0.0.1', '0.0.0.0', ...(hasIPv6 ? ['::1', '::'] : [])])(
    'let the service listen on %s',
    async (host) => {
      const server = serve(families, host)
      const { port } = new URL(await listening(server))
      const address = host.includes(':') ? '[::1]' : '127.0.0.1'
      await expect.poll(async () => (await fetch(`http://${address}:${port}/readyz`)).status).toBe(200)
      server.child.kill('SIGTERM')
      expect((await server.ended).code).toBe(0)
    },
  )

  it('would make it fail on 0.0.0.0 without AF_NETLINK', async () => {
    const { code, stderr } = await serve(
      families.filter((family) => family !== 'AF_NETLINK'),
      '0.0.0.0',
    ).ended
    expect(code).not.toBe(0)
    expect(stderr).toContain('uv_interface_addresses')
  })
})
