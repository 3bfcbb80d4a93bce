import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder } from '../../cli/cli-process.js'
import { seededDatabase, serve } from '../serving.js'
import { experienceOf, openSlowBodies } from './slow-clients.js'

test('2,000 connections with slow bodies from 40 addresses do not lock other clients out', {
  timeout: 60_000,
  // It runs after all other tests. Other programs may slow the server down for these seconds, and it alone.
  retry: 2,
}, async () => {
  const file = join(emptyFolder(), 'live.db')
  const { cookie } = await seededDatabase(file)
  const { url } = await serve(file, { DASHBOARD_API_LOG_LEVEL: 'silent' })
  const normal = await experienceOf(new URL('/v1/projects', url), 1_000, { cookie })
  const attack = openSlowBodies(new URL(url), { connections: 2_000, addresses: 40 })
  onTestFinished(attack.stop)
  await setTimeout(3_000)

  const { sent, served, p99 } = await experienceOf(new URL('/v1/projects', url), 5_000, { cookie })
  expect(served / sent).toBeGreaterThanOrEqual(0.99)
  // Clients, attackers and the server share this process: where it is slow without an attack, it may be slower with one.
  expect(p99).toBeLessThan(Math.max(250, 10 * normal.p99))
  const health = await experienceOf(new URL('/healthz', url), 1_000)
  expect(health.served).toBe(health.sent)
})
