import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certify } from '../certify.js'
import { listening, run, start } from '../cli-process.js'

let cwd: string

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' })

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'dashboard-api-certificates-'))
  for (const name of ['localhost', 'other.test', 'expired']) certify(cwd, name)
  const files = ['-in', 'expired.pem', '-signkey', 'expired-key.pem', '-out', 'expired.pem']
  openssl('x509', ...files, '-days', '0')
  writeFileSync(`${cwd}/no.pem`, 'no certificate')
})

afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const request = (url: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ca = readFileSync(`${cwd}/localhost.pem`)
    const headers = { cookie: 'session=active' }
    get(url, { ca, headers }, async (response) => resolve(JSON.parse(await text(response)))).on(
      'error',
      reject,
    )
  })

describe('dev --cert --key', () => {
  test('serves https on both loopback addresses, and ends', async () => {
    const dev = start(
      ['dev', '--port', '0', '--json', '--cert', 'localhost.pem', '--key', 'localhost-key.pem'],
      {
        cwd,
      },
    )
    const url = await listening(dev)
    expect(url).toMatch(/^https:\/\/localhost:\d+$/)
    expect(await request(`${url}/v1/auth/me`)).toMatchObject({ user: { email: 'ada@acme.example' } })
    expect(await request(`${url}/v1/projects`)).toMatchObject({ projects: expect.any(Array) })
    const env = { NODE_EXTRA_CA_CERTS: `${cwd}/localhost.pem` }
    const { stdout } = await start(['session', 'use', 'acme-viewer', '--url', url], { cwd, env }).ended
    expect(stdout).toContain('acme-viewer')
    dev.child.kill('SIGTERM')
    expect((await dev.ended).code).toBe(0)
  })

  test.each([
    ['--cert localhost.pem', /--cert and --key need each other/],
    ['--key localhost-key.pem', /--cert and --key need each other/],
    [
      '--cert none.pem --key localhost-key.pem',
      /The certificate none\.pem cannot be read: there is no such file/,
    ],
    ['--cert no.pem --key localhost-key.pem', /no\.pem cannot be read as PEM/],
    ['--cert localhost.pem --key localhost.pem', /localhost\.pem cannot be read as PEM/],
    ['--cert localhost.pem --key other.test-key.pem', /other\.test-key\.pem is not that of the certificate/],
    ['--cert expired.pem --key expired-key.pem', /The certificate expired\.pem has expired: /],
  ])('is refused in words: %s', async (options, message) => {
    const { code, stderr } = await run(['dev', '--port', '0', ...options.split(' ')], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  test('says that a certificate is not for the name', async () => {
    const dev = start(['dev', '--port', '0', '--cert', 'other.test.pem', '--key', 'other.test-key.pem'], {
      cwd,
    })
    await dev.until('stderr', /The certificate is not for localhost: browsers refuse it there\./)
  })
})

test('a proxy of the environment does not stand between a command and the mock', async () => {
  const url = await listening(start(['dev', '--port', '0', '--json'], { cwd }))
  const proxy = 'http://127.0.0.1:9'
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: '',
  }
  // In processes of their own: Node reads the variable when it starts.
  const runs = (...args: string[]) => start(args, { cwd, env }).ended
  const used = await runs('session', 'use', 'acme-viewer', '--url', url)
  expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining('acme-viewer') })
  const listed = await runs('mock', 'log', '--url', url, '--json')
  expect(listed.code).toBe(0)
  const failed = await runs('session', 'use', 'acme-viewer', '--url', 'http://localhost:9')
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('No mock answers at') })
  expect(failed.stderr).not.toMatch(/^ {4}at /m)
})

const usesProxies = Number(process.versions.node.split('.')[0]) >= 24
test.skipIf(!usesProxies)('a proxy that refuses is not taken for a mock that does', async () => {
  const proxy = 'http://127.0.0.1:9'
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '' }
  const failed = await start(['mock', 'log', '--url', 'http://mock.example:4010'], { cwd, env }).ended
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'No mock answers at http://mock.example:4010 (ECONNREFUSED at 127.0.0.1:9).',
    ),
  })
})
