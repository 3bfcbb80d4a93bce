import { createMockServer } from 'dashboard-api/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('the controls of dashboard-api/node', () => {
  const mock = createMockServer({ baseUrl: 'http://workbench.test', session: 'acme-owner', delay: 1 })
  beforeAll(() => mock.listen({ onUnhandledRequest: 'bypass' }))
  afterAll(() => mock.close())
  const list = (init?: RequestInit) => fetch('http://workbench.test/v1/projects', init)

  it('force outcomes, break connections, set delay and clock, save snapshots, and log', async () => {
    await mock.scenarios.set({ target: 'listProjects', outcome: 'RATE_LIMITED', times: 1 })
    expect((await list()).status).toBe(429)
    await mock.scenarios.set({ target: 'listProjects', outcome: 'drop', times: 1 })
    await expect(list()).rejects.toThrow('Failed to fetch')
    await mock.scenarios.set({ target: 'listProjects', outcome: 'hang', times: 1 })
    await expect(list({ signal: AbortSignal.timeout(100) })).rejects.toThrow(/abort|timeout/)
    expect(await mock.scenarios.list()).toEqual([])
    expect((await mock.delay.get()).all).toBe('1')
    expect((await mock.clock.set({ at: '2026-01-01T00:00:00Z' })).mode).toBe('fixed')
    await mock.snapshots.save('a')
    const reasons: string[] = []
    const unsubscribe = mock.log.subscribe(({ why }) => reasons.push(why))
    expect((await list({ headers: { prefer: 'code=AUTH_REQUIRED' } })).status).toBe(401)
    unsubscribe()
    expect(reasons).toEqual(['Prefer: code=AUTH_REQUIRED'])
    expect(await mock.log.read()).toHaveLength(4)
    await mock.log.send(2)
    await mock.state.load({ version: 1 })
    expect(await mock.undo()).toMatchObject({ title: 'state load' })
    await mock.redo()
    await mock.log.rewind(5)
    expect((await mock.state.export()).projects).toHaveLength(6)
    mock.reset()
    expect((await mock.clock.get()).mode).toBe('real')
  })
})
