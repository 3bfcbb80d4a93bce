import { fileURLToPath } from 'node:url'
import { getResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { type PageScreen, pageRows } from '../../../../src/cli/terminal/dev/page-rows.js'
import { createWorkbench } from '../../../../src/cli/terminal/dev/workbench.js'
import { createMock, toKeyPress, url } from './dev-fixtures.js'

describe('the workbench of a mock', () => {
  /** A workbench with a way to press keys and to send a request. */
  async function workbench() {
    const api = createMock()
    const openPage = vi.fn(async () => {})
    let redraws = 0
    const bench = await createWorkbench({ url, controls: api.controls, openPage }, () => {
      redraws += 1
    })
    const press = (...keys: string[]) => {
      for (const key of keys) bench.press(toKeyPress(key))
    }
    const seesNotice = (text: string) => vi.waitFor(() => expect(bench.ui().notice?.text).toEqual(text))
    const request = () =>
      getResponse(api.handlers, new Request(`${url}/v1/projects`, { headers: { cookie: 'session=active' } }))
    return { api, bench, openPage, press, seesNotice, request, redraws: () => redraws }
  }

  test("gives a response of one's own, as JSON or from a file, and shows why one is refused", async () => {
    const { api, bench, press, seesNotice, request } = await workbench()
    const own = ['f', 'listP', 'enter', 'own', 'enter']
    press(...own, '{"projects":[]}', 'enter')
    await seesNotice('Forced: listProjects response 200.')
    expect(await (await request())?.json()).toEqual({ projects: [] })
    press(...own, 'tab', '502 [1]', 'enter')
    await seesNotice('Forced: listProjects unchecked response 502.')
    press(...own, fileURLToPath(new URL('../../../../fixtures/demo.json', import.meta.url)), 'enter')
    const showsError = (message: RegExp) =>
      vi.waitFor(() => expect(bench.ui().screen).toMatchObject({ error: expect.stringMatching(message) }))
    await showsError(/^The contract has another body for status 200 of listProjects/)
    press('tab', 'enter')
    await seesNotice('Forced: listProjects unchecked response 200.')
    expect(await (await request())?.json()).toMatchObject({ teams: expect.any(Array) })
    press(...own, '-', 'enter')
    await showsError(/cannot be read: there is no such file/)
    press('clear', '{', 'enter')
    await showsError(/^What was entered is not JSON/)
    expect(await api.controls.scenarios.list()).toHaveLength(1)
    bench.stop()
  })

  test('loads headers, bodies and changes of a request when its details are opened', async () => {
    const { api, bench, press, request } = await workbench()
    const textOf = () =>
      pageRows(bench.ui().screen as PageScreen, bench.snapshot(), 200)
        .map(({ label = '', text }) => label + text)
        .join('\n')
    await request()
    await getResponse(
      api.handlers,
      new Request(`${url}/v1/projects`, {
        method: 'POST',
        headers: { cookie: 'session=active', 'content-type': 'application/json', authorization: 'secret' },
        body: '{"name":"Apollo \\u001b"}',
      }),
    )
    await vi.waitFor(() => expect(bench.snapshot().log).toHaveLength(2))
    press('enter')
    await vi.waitFor(() => expect(textOf()).toContain('Headers of the response'))
    expect(textOf()).toMatch(
      /^POST \/v1\/projects\nResponse +201\n.*\n\nAdded: projects [-0-9a-f]{36}\n\+ id: ".*\n\+ name: "Apollo \\u001b"\n/s,
    )
    expect(textOf()).toContain('Body of the request\n{\n  "name": "Apollo \\u001b"\n}\n')
    expect(textOf()).toMatch(/Body of the response\n\{\n {2}"project": \{\n {4}"id": /)
    expect(textOf()).toMatch(/Headers of the request\nauthorization: \(not logged\)\n/)
    expect(textOf()).not.toContain('secret')
    press('down')
    await vi.waitFor(() => expect(textOf()).toMatch(/^GET .*Body of the response/s))
    expect(textOf()).not.toMatch(/Body of the request|Added/)
    bench.stop()
  })

  test('runs the effects of keys and reports them', async () => {
    const { api, bench, press, seesNotice, openPage } = await workbench()
    press('p', 'viewer', 'enter')
    await seesNotice('session=active now stands for acme-viewer.')
    await vi.waitFor(() => expect(bench.snapshot().sessions.active).toBe('acme-viewer'))
    press('f', 'listP', 'enter', 'hang', 'enter')
    await seesNotice('Forced: listProjects hang.')
    press('d', 'getS', 'enter', '7', 'enter')
    await seesNotice('Set the delay of getSession to 7 ms.')
    expect(await api.controls.delay.get()).toEqual({ all: '0', operations: { getSession: '7' } })
    press('c', 'noon', 'enter')
    await vi.waitFor(() => expect(bench.ui().screen).toMatchObject({ error: expect.stringMatching(/zone/) }))
    press('clear', '2026-01-01T00:00:00Z', 'enter')
    await seesNotice('The clock is stopped at 2026-01-01T00:00:00.000Z.')
    expect(await api.controls.clock.get()).toMatchObject({ mode: 'fixed' })
    press('c', '2026-01-01T00:00:00Z', 'tab', 'enter')
    await seesNotice(expect.stringMatching(/^The clock runs from 2026-01-01T00:00:00/))
    press('c', 'enter')
    await seesNotice('The clock shows the real time.')
    expect(await api.controls.clock.get()).toMatchObject({ mode: 'real' })
    press('s', 'one', 'enter')
    await seesNotice('Saved snapshot one.')
    await vi.waitFor(() => expect(bench.snapshot().snapshots).toEqual(['one']))
    press('l', 'enter')
    await seesNotice('Loaded snapshot one.')
    press('x', 'enter', '0.1 200-2000 7', 'enter')
    await seesNotice('Chaos of all operations: 10 % fail, 200-2000 ms, seed 7.')
    press('x', 'getS', 'enter', '1', 'enter')
    await seesNotice(expect.stringMatching(/^Chaos of getSession: 100 % fail, seed \d+\.$/))
    press('x', 'getS', 'enter', 'enter')
    await seesNotice('Ended chaos of getSession.')
    expect(await api.controls.chaos.get()).toMatchObject({ all: { seed: 7 }, operations: {} })
    press('x', 'enter', 'often', 'enter')
    await vi.waitFor(() => expect(bench.ui().screen).toMatchObject({ error: expect.stringMatching(/rate/) }))
    press('escape', 'escape', 'f', 'home', 'enter')
    await seesNotice('Nothing is forced.')
    expect(await api.controls.scenarios.list()).toEqual([])
    expect(await api.controls.chaos.get()).toEqual({ operations: {} })
    press('o')
    await seesNotice('Opened the page in the browser.')
    expect(openPage).toHaveBeenCalledOnce()
    press('r', 'enter')
    await seesNotice('The mock was reset. The log was kept.')
    expect(await api.controls.delay.get()).toEqual({ all: '0', operations: {} })
    press('q')
    await bench.ended
    bench.stop()
  })

  test('undoes, redoes, goes back to a request and sends it again', async () => {
    const { api, bench, press, seesNotice } = await workbench()
    const first = JSON.stringify(await api.export())
    const post = new Request(`${url}/v1/waitlist`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"terminal@example.com"}',
    })
    await getResponse(api.handlers, post)
    await vi.waitFor(() => expect(bench.snapshot().log).toHaveLength(1))
    press('u')
    await seesNotice('Undone: joinWaitlist, request 1 (1 record).')
    expect(JSON.stringify(await api.export())).toBe(first)
    press('u')
    await seesNotice('There is nothing to undo.')
    press('y')
    await seesNotice('Made again: joinWaitlist, request 1 (1 record).')
    press('w')
    await seesNotice('Done: rewind to before request 1 (1 record).')
    expect(JSON.stringify(await api.export())).toBe(first)
    press('enter', 'a')
    await seesNotice('Sent again, as request 2: 200.')
    bench.stop()
  })

  test('follows changes and requests of others, and redraws once for many requests', async () => {
    const { api, bench, request, redraws } = await workbench()
    await api.controls.scenarios.set({ target: 'empty', times: 200 })
    await vi.waitFor(() => expect(bench.snapshot().scenarios).toHaveLength(1))
    const before = redraws()
    await Promise.all(Array.from({ length: 200 }, request))
    await vi.waitFor(() => expect(bench.snapshot().log).toHaveLength(200))
    await vi.waitFor(() => expect(bench.snapshot().scenarios).toEqual([]))
    expect(redraws() - before).toBeLessThan(50)
    bench.stop()
    const stopped = bench.snapshot()
    await request()
    await api.controls.sessions.use('expired')
    expect(bench.snapshot()).toBe(stopped)
  })

  test('keeps the text if the mock refuses it', async () => {
    const { bench, press } = await workbench()
    press('s', '../up', 'enter')
    await vi.waitFor(() =>
      expect(bench.ui().screen).toMatchObject({
        text: '../up',
        error: expect.stringMatching(/is not a snapshot name/),
      }),
    )
    bench.stop()
  })

  test('shows a fixture error until it is corrected, and a notice until the next key', async () => {
    const { bench, press } = await workbench()
    bench.setFixtureError('wrong')
    bench.notify('error', 'notice')
    expect([bench.snapshot().fixtureError, bench.ui().notice?.text]).toEqual(['wrong', 'notice'])
    press('?')
    bench.setFixtureError()
    expect([bench.snapshot().fixtureError, bench.ui().notice]).toEqual([undefined, undefined])
    bench.stop()
  })
})
