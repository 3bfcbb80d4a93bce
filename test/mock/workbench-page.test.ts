import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { framedBy } from '../../src/mock/engine/framed-headers.js'
import { workbenchFile } from '../../src/mock/workbench-page.js'
import { startDevServer } from '../conformance/start-dev-server.js'

const built = new URL('../../dist/workbench-document.js', import.meta.url)

it('is smaller than 64.4 KB, compressed', async () => {
  const document = await readFile(built)
  expect(gzipSync(document, { level: 9 }).byteLength).toBeLessThan(64_400)
})

it('is served at its path, and no other file is', async () => {
  for (const path of ['/__dev/main.js', '/__dev/../package.json', '/__dev/%2e%2e/bin/x.js', '/__dev/', '/']) {
    expect([path, (await workbenchFile(path))?.status]).toEqual([path, path === '/__dev/' ? 200 : undefined])
  }
})

it('allows only its own script, connections to its server, and frames of pages of this machine', async () => {
  const page = await workbenchFile('/__dev/')
  expect(page?.headers['content-security-policy']).toBe(framedBy)
  const html = String(page?.body)
  const [, policy] = /<meta http-equiv="content-security-policy" content="([^"]+)">/.exec(html) ?? []
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^']+'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'$/,
  )
  // No element before the policy is subject to it.
  expect(html.slice(0, html.indexOf('content-security-policy'))).not.toMatch(/<(script|style|link|img)/)
  expect(html.match(/<script/g)).toHaveLength(1)
})

it('is served at / and at /__dev/', async () => {
  const { baseUrl, close } = await startDevServer()
  onTestFinished(close)
  for (const path of ['/', '/__dev/']) {
    const response = await fetch(baseUrl + path)
    expect(response.status).toBe(200)
    const head = await fetch(baseUrl + path, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength))
  }
})
