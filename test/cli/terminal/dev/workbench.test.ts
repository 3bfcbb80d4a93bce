import { describe, expect, test } from 'vitest'
import { createMock, openWorkbench } from './open-workbench.js'

/** The screen after some requests, the last of which failed. */
async function withRequests(size?: Parameters<typeof openWorkbench>[0]) {
  const bench = await openWorkbench(size)
  await bench.send('GET', '/v1/projects')
  await bench.send('POST', '/v1/projects', { name: 'Roadmap' })
  await bench.send('POST', '/v1/projects', { name: 'ROADMAP' })
  await bench.refresh()
  return bench
}

describe('the screen of dev', () => {
  test('shows the persona, forced outcomes, the delay, chaos and a set clock', async () => {
    const { controls, refresh, frame } = await openWorkbench({ width: 160, height: 24 })
    await controls.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    await controls.delay.set('200-800')
    await controls.delay.set('300', 'getSession')
    await controls.chaos.set({ errorRate: 0.1, seed: 7 })
    await controls.clock.set({ at: '2026-01-01T00:00:00Z' })
    await refresh()
    for (const line of [
      /^dashboard-api mock at http:\/\/localhost:4010$/m,
      /^Persona {2}acme-owner ada@acme\.example · owner · org_acme {3}without a cookie: signed out$/m,
      /^Forced {3}createProject PROJECT_NAME_TAKEN, next request$/m,
      /^Delay {4}200-800 ms · getSession 300 ms {3}chaos: 10 % fail, seed 7 {3}clock fixed at 2026-01-01T00:00:00/m,
      /This is your back end/,
    ]) {
      expect(frame()).toMatch(line)
    }
  })

  const screens: [name: string, keys: string[]][] = [
    ['log', ['down', 'down']],
    ['details', ['enter']],
    ['personas', ['p']],
    ['outcomes', ['f']],
    ['outcomes of the selected request', ['down', 'f']],
    ['delays', ['d', '3'.repeat(200)]],
    ['reset', ['r']],
    ['waitlist', ['w']],
    ['help', ['?']],
    ['command', ['/', '4', '0', '9']],
  ]
  test.each(screens)('%s: as high as the terminal and no wider, at every size', async (_, keys) => {
    for (const [width, height] of [
      [60, 20],
      [80, 24],
      [120, 40],
      [40, 12],
    ] as const) {
      const { controls, send, refresh, type, update, lines } = await openWorkbench({ width, height })
      await controls.scenarios.set({
        target: 'listProjects',
        outcome: 'INTERNAL_ERROR',
        times: 3,
        session: 'no-team',
      })
      for (let i = 0; i < 50; i++)
        await controls.data.add('waitlist', { email: `${i}@${'x'.repeat(99)}.example` })
      for (let i = 0; i < 45; i++) await send('GET', `/v1/${'long/'.repeat(30)}${i}`)
      await send('POST', '/v1/projects', { name: 'A name. '.repeat(200) })
      await refresh()
      update({ fixtureError: 'The fixture file is wrong. '.repeat(9) })
      await type(...keys)
      expect(lines()).toHaveLength(height)
      expect(Math.max(...lines().map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines().at(-1)).not.toBe('')
      expect(lines().at(-2)).toMatch(/^The fixture file is wrong/)
    }
  })

  test('shows requests with their cause, the newest first; the selected one stays visible', async () => {
    const { controls, send, refresh, type, frame } = await openWorkbench()
    await controls.scenarios.set({ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: null })
    await send('POST', '/v1/projects', { name: 'A' })
    await refresh()
    expect(frame()).toMatch(/POST \/v1\/projects +409 PROJECT_NAME_TAKEN +acme-owner +scenario/)
    for (let i = 1; i <= 60; i++) await send('GET', `/v1/p${i}`)
    await refresh()
    expect(frame()).toContain('/v1/p60 ')
    await type(...Array<string>(40).fill('down'))
    expect(frame()).toContain('/v1/p21 ')
    expect(frame()).not.toContain('/v1/p60 ')
  })

  test('names its most important keys on 80 columns, and shows the response before the headers', async () => {
    const { type, frame, lines } = await withRequests({ width: 80, height: 24 })
    for (const hint of ['Enter details', '↑↓ select', 'f force', 'p persona', '/ command', '? help'])
      expect(lines().at(-1)).toContain(hint)
    await type('enter')
    expect(frame()).toMatch(/The response {2}\d+ headers?, h shows them/)
    expect(frame()).toContain('"code": "PROJECT_NAME_TAKEN"')
    expect(frame().indexOf('The response')).toBeLessThan(frame().indexOf('The request'))
    await type('h')
    expect(frame()).toMatch(/content-type: application\/json/)
  })

  test('/ opens the command box: it shows what Enter does, with the command, and does it', async () => {
    const { controls, type, frame } = await withRequests({ width: 130, height: 30 })
    await type('/', ...'409 create once')
    expect(frame()).toContain('409 PROJECT_NAME_TAKEN on createProject · next request')
    expect(frame()).toContain('mock scenario set createProject PROJECT_NAME_TAKEN --times 1')
    await type('enter')
    await expect
      .poll(() => controls.scenarios.list())
      .toEqual([{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }])
    await type('/', ...'be viewer', 'enter')
    await expect.poll(async () => (await controls.sessions.list()).active).toBe('acme-viewer')
    await type('/', ...'before 2', 'enter')
    await expect.poll(async () => (await controls.state.export()).projects.length).toBe(6)
  })

  test('the box shows whole lines on 80 columns, and the command of the selected one below', async () => {
    const { type, frame, lines } = await withRequests({ width: 80, height: 24 })
    await type('/', ...'409 create')
    const [first, second] = lines().filter((line) => line.includes('409 PROJECT_NAME_TAKEN on createProject'))
    expect(first?.trim()).toMatch(/· next request$/)
    expect(second?.trim()).toMatch(/· until cleared$/)
    expect(frame()).toContain('mock scenario set createProject PROJECT_NAME_TAKEN --times 1')
    await type('down')
    expect(frame()).toContain('mock scenario set createProject PROJECT_NAME_TAKEN')
    expect(frame()).not.toContain('--times 1')
  })

  test('a row that is as wide as the terminal ends with its last cell', async () => {
    const { send, refresh, lines } = await openWorkbench({ width: 100, height: 24 })
    await send('PATCH', `/v1/projects/${'0'.repeat(80)}`, { name: '' })
    await refresh()
    expect(lines().filter((line) => /^\d\d:\d\d:\d\d/.test(line))).toEqual([
      expect.stringMatching(/^.{97} {1,2}\d+$/),
    ])
  })

  test('q quits from the log, Ctrl+C from every screen', async () => {
    const { type, quits, frame } = await withRequests()
    await type('q')
    expect(quits()).toBe(1)
    const all = [[], ['p'], ['f'], ['d'], ['w'], ['enter'], ['?'], ['r']]
    for (const keys of all) await type(...keys, 'interrupt', 'escape')
    expect(quits()).toBe(1 + all.length)
    await type('p', 'q')
    expect(frame()).toMatch(/^Persona {2}q$/m)
  })

  test('Escape goes back to the log, with the request that was shown selected', async () => {
    const { type, frame } = await withRequests()
    for (const key of ['p', 'f', 'd', 'r', 'w', '?']) {
      await type(key)
      expect(frame()).not.toContain('Decided by')
      await type('escape')
      expect(frame()).toMatch(/^Time +Request/m)
    }
    await type('p', 'x', 'escape')
    expect(frame()).toMatch(/^Persona$/m)
    await type('escape', 'enter', 'down', 'down', 'escape', 'f')
    expect(frame()).toContain('Force listProjects')
  })

  test('p selects a persona by arrows, starting at the active one, or by a filter of name and note', async () => {
    const { controls, type, frame } = await openWorkbench()
    const active = async () => (await controls.sessions.list()).active
    await type('p', 'down', 'enter')
    expect(frame()).toContain('You became acme-member.')
    expect(await active()).toBe('acme-member')
    await type('p', 'enter')
    expect(await active()).toBe('acme-member')
    await type('p', 'GLO', 'enter')
    expect(await active()).toBe('globex-owner')
    await type('p', 'ran out', 'enter')
    expect(await active()).toBe('expired')
    await type('p', 'xyz', 'enter')
    expect(frame()).toContain('No match.')
  })

  test('f forces an outcome, for the next request or until cleared, and clears it', async () => {
    const { controls, type, frame, refresh } = await openWorkbench()
    await type('f', 'create taken', 'enter')
    expect(frame()).toContain('409 PROJECT_NAME_TAKEN was forced on createProject (next request).')
    expect(await controls.scenarios.list()).toMatchObject([{ target: 'createProject', times: 1 }])
    // Forced outcomes come first.
    await type('f', 'enter')
    expect(frame()).toContain('What was forced on createProject was cleared.')
    await type('f', 'duplicate', 'enter')
    expect(await controls.scenarios.list()).toEqual([{ target: 'duplicate-names' }])
    await controls.scenarios.set({ target: 'getSession', outcome: 'drop', times: null })
    await refresh()
    await type('f', 'nothing', 'enter')
    expect(await controls.scenarios.list()).toEqual([])
  })

  test('f and d concern the selected request', async () => {
    const { controls, type, frame } = await withRequests()
    await type('f')
    expect(frame()).toMatch(/^Force an outcome, next request$/m)
    await type('escape', 'end', 'f', 'tab', 'unavailable', 'enter')
    expect(await controls.scenarios.list()).toEqual([
      { target: 'listProjects', outcome: 'SERVICE_UNAVAILABLE' },
    ])
    await type('d', '25', 'enter')
    expect(frame()).toContain('The delay of listProjects was set to 25 ms.')
    expect(await controls.delay.get()).toEqual({ all: '0', operations: { listProjects: '25' } })
  })

  test('d delays everything by an entered or a selected delay, and removes the delay', async () => {
    const { controls, type, frame } = await openWorkbench()
    await type('d', '2', '0', 'backspace', '5', 'enter')
    expect(frame()).toContain('The delay was set to 25 ms.')
    await type('d', 'down', 'down', 'enter')
    expect((await controls.delay.get()).all).toBe('500')
    await type('d', 'soon', 'enter')
    expect(frame()).toContain('"soon" is not a delay')
    await type('clear', 'enter')
    expect(frame()).toContain('The delay was removed.')
    expect((await controls.delay.get()).all).toBe('0')
  })

  test('u, y and r undo, redo and reset', async () => {
    const { controls, type, frame } = await openWorkbench()
    const count = async () => (await controls.data.list('waitlist')).total
    const before = await count()
    await controls.data.add('waitlist', { email: 'a@b.example' })
    await type('u')
    expect(frame()).toContain('Went back to before a@b.example joined the waitlist.')
    expect(await count()).toBe(before)
    await type('y')
    expect(frame()).toContain('Made again: ')
    await type('r', 'escape')
    expect(await count()).toBe(before + 1)
    await type('r', 'enter')
    expect(frame()).toContain('Everything was reset.')
    expect(await count()).toBe(before)
    await type('y')
    expect(frame()).toMatch(/nothing|no change|undone/i)
  })

  test('the details show changes, bodies and headers, and scroll through the whole curl command', async () => {
    const { send, refresh, type, lines, frame } = await openWorkbench({ width: 60, height: 14 })
    await send('GET', '/v1/projects')
    await send('POST', '/v1/projects', { name: `名${'x'.repeat(150)}` })
    await refresh()
    await type('enter', 'h')
    const seen: string[] = []
    for (let i = 0; i < 6; i++) {
      // Each page begins with the last line of the previous one.
      seen.push(...lines().slice(i === 0 ? 0 : 1, 11))
      await type(' ')
    }
    const text = seen.join('\n')
    for (const part of ['POST /v1/projects  201', 'Decided by handler', 'The request', 'The response']) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/^projects \S+ added$/m)
    expect(text).toMatch(/^content-type: application\/json$/m)
    expect(text).toMatch(/^ {4}"status": "active",$/m)
    expect(text.replace(/\s/g, '')).toMatch(/curl-i-XPOST.*名x{150}/)
    expect(lines().at(-4)).toBe('To copy it: npx dashboard-api mock log --curl 2')
    // Another request is shown from the top.
    await type('down')
    expect(lines()[0]).toBe('GET /v1/projects  200')
    await type('up', ' ', 'b')
    expect(lines()[0]).toBe('POST /v1/projects  201')
    expect(frame()).toContain('Space b scroll')
  })

  test('the waitlist shows the newest address first', async () => {
    const mock = createMock()
    await mock.controls.data.add('waitlist', { email: 'new@b.example' })
    const { type, lines } = await openWorkbench(undefined, mock)
    await type('w')
    expect(lines()[5]).toMatch(/^3 addresses/)
    expect(lines()[7]).toMatch(/ {2}new@b\.example$/)
  })

  test('the last line names the keys, and ? explains them', async () => {
    const { type, lines, frame } = await openWorkbench()
    expect(lines().at(-1)).toMatch(/^Enter details {2}↑↓ select {2}f force {2}p persona/)
    await type('?')
    expect(frame()).toMatch(/^u +undo the last change of the mock$/m)
    await type('escape', 'f')
    expect(lines().at(-1)).toContain('Tab until cleared')
    await type('tab')
    expect(lines().at(-1)).toContain('Tab next request')
  })

  test('other keys do nothing in the log', async () => {
    const { type, frame } = await openWorkbench()
    const before = frame()
    for (const text of ['__', 'enter', ' ', 'e', 'x', 'ex']) {
      await type(text)
      expect(frame()).toBe(before)
    }
  })
})
