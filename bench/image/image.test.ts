import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionSecret } from '../../test/cli/cli-process.js'
import { readContainerfile } from '../../test/package/containerfile.js'
import { freePort } from '../free-port.js'
import { createBase } from './base-image.js'

const run = promisify(execFile)
const { start, healthCheck } = readContainerfile()

/** As many open files as this process may have: npm has more than 1,024 of them. */
const openFiles = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()

const reasons = {
  'buildah is not installed': spawnSync('buildah', ['--version']).error !== undefined,
  'it has to be run by root': process.getuid?.() !== 0,
}
const reason = Object.entries(reasons).find(([, isSo]) => isSo)?.[0]
const title = `the image that buildah builds${reason ? ` (skipped: ${reason})` : ''}`

// The base image is made of the programs of this machine, and no engine runs: buildah changes the root folder.
describe.skipIf(reason)(title, () => {
  let folder: string
  const buildah = async (...args: string[]) => {
    const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')]
    return (await run('buildah', [...storage, ...args], { maxBuffer: 100_000_000 })).stdout
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-buildah-'))
    const base = createBase(folder)
    for (const name of ['base', 'base-slim']) {
      await buildah('bud', '--quiet', '--isolation=chroot', '--tag', `localhost/node:${name}`, base)
    }
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'])
    const options = ['--isolation=chroot', '--format=docker', '--pull-never', '--tag=localhost/dashboard-api']
    const given = [
      '--build-arg=NODE=localhost/node:base',
      `--ulimit=nofile=${openFiles}`,
      '--volume',
      `${cache.trim()}:/root/.npm`,
    ]
    await buildah('bud', ...options, ...given, '.')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has the health check and an unprivileged user', async () => {
    const described = await buildah('inspect', '--type=image', 'localhost/dashboard-api')
    const { config } = JSON.parse(described).Docker
    expect(config.Healthcheck.Test).toEqual(['CMD', ...healthCheck])
    expect(config.User).toBe('node')
  })

  it('has neither npm nor TypeScript, and runs: the health check succeeds on another port, and SIGTERM ends the server', async () => {
    const container = (await buildah('from', '--pull-never', 'localhost/dashboard-api')).trim()
    const script = `
      find / -xdev '(' -name npm -o -name node-gyp -o -name typescript ')'
      ${start.join(' ')} &
      tries=0
      until ${healthCheck.join(' ')} || [ $((tries += 1)) -gt 100 ]; do :; done
      echo healthy after $tries of 100
      kill -TERM $!
      wait $!
      echo ended with $?`
    const env = {
      DASHBOARD_API_PORT: String(await freePort()),
      DASHBOARD_API_HOST: '127.0.0.1',
      DASHBOARD_API_SESSION_SECRET: sessionSecret,
    }
    const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const options = ['--isolation=chroot', ...variables, container]
    const output = await buildah('run', ...options, '--', 'sh', '-c', script)
    expect(output).toMatch(/healthy after \d?\d of 100/)
    expect(output).toContain('ended with 0')
    expect(output).not.toMatch(/^\/.*(npm|node-gyp|typescript)$/m)
  })
})
