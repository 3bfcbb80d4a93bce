import { render } from 'ink-testing-library'
import { getResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { type MockSnapshot, readMockSnapshot } from '../../../src/cli/terminal/dev/mock-snapshot.js'
import { reduceKey, reduceOutcome } from '../../../src/cli/terminal/dev/reduce.js'
import { start, type Ui } from '../../../src/cli/terminal/dev/screens.js'
import { createWorkbench } from '../../../src/cli/terminal/dev/workbench.js'
import type { Press } from '../../../src/cli/terminal/key-press.js'
import { DevScreen } from '../../../src/cli/terminal/views/dev-screen.js'
import { createMockApi, type MockApi } from '../../../src/mock/core/mock-api.js'
import type { LogEntry } from '../../../src/mock/core/request-log.js'
import { parseState } from '../../../src/store/state-file.js'

const url = 'http://127.0.0.1:4010'
const mock = (): MockApi => createMockApi({ fixtures: parseState(demo), baseUrl: url })
const facts = async (more: Partial<MockSnapshot> = {}): Promise<MockSnapshot> => ({
  url,
  ...(await readMockSnapshot(mock().controls)),
  ...more,
})

const entry = (id: number, more: Partial<LogEntry> = {}): LogEntry => ({
  id,
  time: '2026-01-01T12:00:00.000Z',
  method: 'GET',
  path: `/v1/projects/${id}`,
  operation: 'listProjects',
  session: 'acme-owner',
  status: 200,
  why: 'handler',
  ms: 1.4,
  curl: `curl -i ${url}/v1/projects/${id}`,
  ...more,
})
/** The latest first. */
const log = (count: number) => Array.from({ length: count }, (_, i) => entry(count - i))

const named = ['up', 'down', 'pageDown', 'home', 'end', 'enter', 'escape', 'tab', 'backspace', 'interrupt']
const asPress = (key: string): Press => (named.includes(key) ? ({ key } as Press) : { text: key })

/** What is shown after these keys, and what the last of them makes happen. */
function afterKeys(known: MockSnapshot, ...keys: string[]) {
  let ui: Ui = start
  let effect: unknown
  for (const key of keys) ({ ui, effect } = { effect: undefined, ...reduceKey(ui, asPress(key), known) })
  return { ui, screen: ui.screen, effect }
}

const frameOf = (known: MockSnapshot, ui: Ui, width = 80, height = 24) =>
  render(<DevScreen facts={known} ui={ui} width={width} height={height} />).lastFrame() ?? ''

describe('keys of the workbench', () => {
  test('q quits from the log, Ctrl+C from everywhere', async () => {
    const known = await facts({ log: log(1) })
    expect(afterKeys(known, 'q').effect).toEqual({ do: 'quit' })
    for (const keys of [[], ['p'], ['f', 'enter'], ['d', 'enter'], ['s'], ['enter'], ['?']]) {
      expect(afterKeys(known, ...keys, 'interrupt').effect).toEqual({ do: 'quit' })
    }
    expect(afterKeys(known, 'p', 'q')).toMatchObject({ effect: undefined, screen: { filter: 'q' } })
  })

  test('Escape leads back, one step at a time', async () => {
    const known = await facts({ log: log(2) })
    expect(afterKeys(known, 'f', 'enter', 'escape').screen).toMatchObject({ list: { of: 'target' } })
    expect(afterKeys(known, 'f', 'enter', 'escape', 'escape').screen).toEqual({ is: 'log' })
    expect(afterKeys(known, 'd', 'enter', 'escape').screen).toMatchObject({ list: { of: 'delayed' } })
    expect(afterKeys(known, 'p', 'x', 'escape').screen).toMatchObject({ is: 'list', filter: '' })
    expect(afterKeys(known, 'down', 'down', 'enter', 'escape').screen).toEqual({ is: 'log', selected: 1 })
    expect(afterKeys(known, '?', 'escape').screen).toEqual({ is: 'log' })
  })

  test('arrows choose a persona, from the active one, and never lead out of the list', async () => {
    const known = await facts()
    expect(afterKeys(known, 'p', 'down', 'enter').effect).toEqual({ do: 'use', id: 'acme-member' })
    expect(afterKeys(known, 'p', 'up', 'enter').effect).toEqual({ do: 'use', id: 'acme-owner' })
    expect(afterKeys(known, 'p', 'end', 'down', 'enter').effect).toEqual({ do: 'use', id: 'expired' })
    known.sessions.active = 'globex-owner'
    expect(afterKeys(known, 'p', 'enter').effect).toEqual({ do: 'use', id: 'globex-owner' })
  })

  test('letters filter, by what is said of a choice too, and nothing is chosen of nothing', async () => {
    const known = await facts()
    expect(afterKeys(known, 'p', 'GLO', 'enter').effect).toEqual({ do: 'use', id: 'globex-owner' })
    expect(afterKeys(known, 'p', 'ran out', 'enter').effect).toEqual({ do: 'use', id: 'expired' })
    expect(afterKeys(known, 'p', 'xyz', 'enter')).toMatchObject({
      effect: undefined,
      screen: { filter: 'xyz' },
    })
    expect(afterKeys(known, 'p', 'xyz', 'down', 'backspace').screen).toMatchObject({ filter: 'xy', index: 0 })
  })

  test('force an outcome, until it is ended or once', async () => {
    const known = await facts()
    const effect = (...keys: string[]) => afterKeys(known, 'f', ...keys).effect
    const scenario = { target: 'listProjects', outcome: 'INTERNAL_ERROR' }
    expect(effect('listP', 'enter', '500', 'enter')).toEqual({ do: 'force', scenario })
    expect(effect('listP', 'enter', 'tab', '500', 'enter')).toEqual({
      do: 'force',
      scenario: { ...scenario, times: 1 },
    })
    expect(effect('empty', 'enter')).toEqual({ do: 'force', scenario: { target: 'empty' } })
  })

  test('end what is forced: all, or a named scenario', async () => {
    const known = await facts({
      scenarios: [{ target: 'listProjects', outcome: 'hang' }, { target: 'empty' }],
    })
    expect(afterKeys(known, 'f', 'home', 'enter').effect).toEqual({ do: 'clear' })
    expect(afterKeys(known, 'f', 'no projects', 'enter').effect).toEqual({ do: 'clear', target: 'empty' })
  })

  test('set a delay, of all or of one operation, and take it back', async () => {
    const known = await facts()
    expect(afterKeys(known, 'd', 'enter', '300', 'enter').effect).toEqual({ do: 'delay', ms: '300' })
    expect(afterKeys(known, 'd', 'getS', 'enter', '2', '0x', 'backspace', 'enter').effect).toEqual({
      do: 'delay',
      ms: '20',
      operation: 'getSession',
    })
    expect(afterKeys(known, 'd', 'enter', 'enter').effect).toEqual({ do: 'delay', ms: '' })
  })

  test('save and load a snapshot, and reset only after a question', async () => {
    const known = await facts({ snapshots: ['one', 'two'] })
    expect(afterKeys(known, 's', ' a', 'enter').effect).toEqual({ do: 'save', name: 'a' })
    expect(afterKeys(known, 'l', 'down', 'enter').effect).toEqual({ do: 'load', name: 'two' })
    expect(afterKeys(known, 'r')).toMatchObject({ effect: undefined, screen: { list: { of: 'reset' } } })
    expect(afterKeys(known, 'r', 'enter').effect).toEqual({ do: 'reset' })
    expect(afterKeys(known, 'r', 'down', 'enter')).toMatchObject({ effect: undefined, screen: { is: 'log' } })
  })

  test('select a request, which stays selected when others come, and show its details', async () => {
    const known = await facts({ log: log(30) })
    expect(afterKeys(known, 'down').screen).toEqual({ is: 'log', selected: 30 })
    const { ui } = afterKeys(known, 'down', 'down', 'pageDown')
    expect(ui.screen).toEqual({ is: 'log', selected: 19 })
    const more = { ...known, log: log(40) }
    expect(reduceKey(ui, { key: 'enter' }, more).ui.screen).toEqual({ is: 'details', id: 19 })
    expect(afterKeys(known, 'enter').screen).toEqual({ is: 'details', id: 30 })
    expect(afterKeys(known, 'enter', 'down').screen).toEqual({ is: 'details', id: 29 })
    expect(afterKeys(known, 'end', 'down').screen).toEqual({ is: 'log', selected: 1 })
    expect(afterKeys(await facts(), 'down', 'enter').screen).toEqual({ is: 'log' })
  })

  test('lead back once something was done; a refusal leaves what was typed', async () => {
    const known = await facts()
    const { ui } = afterKeys(known, 's', 'no/name', 'enter')
    expect(reduceOutcome(ui, ui.screen, { failed: 'no' }).screen).toMatchObject({
      text: 'no/name',
      refusal: 'no',
    })
    expect(reduceOutcome(ui, ui.screen, { done: 'Saved.' })).toEqual({
      screen: { is: 'log' },
      notice: { tone: 'done', text: 'Saved.' },
    })
    // The reader has gone on meanwhile, and is not called back.
    const later = afterKeys(known, 'p').ui
    expect(reduceOutcome(later, ui.screen, { done: 'Saved.' }).screen).toBe(later.screen)
  })
})

describe('the views of the workbench', () => {
  const screens: [name: string, keys: string[]][] = [
    ['log', ['down', 'down']],
    ['details', ['enter']],
    ['personas', ['p']],
    ['targets', ['f']],
    ['outcomes', ['f', 'down', 'enter']],
    ['delays', ['d']],
    ['a delay', ['d', 'enter', '300']],
    ['a name', ['s', 'a'.repeat(200)]],
    ['snapshots', ['l']],
    ['reset', ['r']],
    ['help', ['?']],
  ]

  test.each(screens)('%s: as high as the terminal, and no wider, whatever its size', async (_, keys) => {
    const known = await facts({
      log: log(300).map((each) => ({
        ...each,
        path: `/v1/${'long/'.repeat(30)}`,
        curl: 'curl '.repeat(500),
      })),
      scenarios: [
        { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 3, session: 'acme-viewer' },
      ],
      snapshots: Array.from({ length: 50 }, (_, i) => `snapshot-${i}`),
      problem: 'The fixture file is wrong. '.repeat(9),
    })
    for (const [width, height] of [
      [60, 20],
      [80, 24],
      [100, 50],
      [40, 12],
    ] as const) {
      const lines = frameOf(known, afterKeys(known, ...keys).ui, width, height).split('\n')
      expect(lines).toHaveLength(height)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines.at(-1)).not.toBe('')
    }
  })

  test('the log shows time, request, answer, persona and what decided, the latest first', async () => {
    const known = await facts({
      log: [
        entry(2, { status: 0, why: 'scenario listProjects drop' }),
        entry(1, { method: 'POST', status: 403, code: 'INSUFFICIENT_PERMISSIONS', session: undefined }),
      ],
    })
    const wide = frameOf(known, start, 100).split('\n')
    expect(wide[6]).toMatch(/^\d\d:\d\d:\d\d {2}GET \/v1\/projects\/2 +no answer +acme-owner +scenario listP/)
    expect(wide[7]).toMatch(/POST \/v1\/projects\/1 +403 INSUFFICIENT_PERMISSIONS +- +handler +1$/)
    const narrow = frameOf(known, start, 60).split('\n')
    expect(narrow[7]).toMatch(/POST \/v1\/projects\/1 +403 INSUFFICIENT_PERMISSIONS$/)
  })

  test('the header shows what is set', async () => {
    const known = await facts({
      scenarios: [{ target: 'empty' }, { target: 'getSession', outcome: 'hang', times: 2 }],
      delay: { all: '0', operations: { getSession: '5-9' } },
      clock: { mode: 'fixed', now: '2026-01-01T00:00:00.000Z' },
      problem: 'state.json is wrong',
    })
    const frame = frameOf(known, start, 100)
    expect(frame).toContain('Forced   empty · getSession hang, 2 times')
    expect(frame).toContain('Delay    none · getSession 5-9 ms   Clock  stands at 2026-01-01T00:00:00.000Z')
    expect(frame).toContain('state.json is wrong')
    expect(frame).toContain('npx dashboard-api session use acme-viewer')
  })

  test('control characters of a request never reach the terminal', async () => {
    const known = await facts({ log: [entry(1, { path: '/\x1b[2J', curl: 'curl \x1b]0;x\x07' })] })
    for (const keys of [[], ['enter']]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(frameOf(known, afterKeys(known, ...keys).ui)).not.toMatch(/\x1b\[2J|\x1b\]|\x07/)
    }
  })
})

describe('the workbench over a mock', () => {
  /** A workbench, and a way to press keys. */
  async function workbench() {
    const api = mock()
    const openPage = vi.fn(async () => {})
    let drawn = 0
    const bench = await createWorkbench({ url, controls: api.controls, openPage }, () => {
      drawn += 1
    })
    const press = (...keys: string[]) => {
      for (const key of keys) bench.press(asPress(key))
    }
    const noticed = (text: string) => vi.waitFor(() => expect(bench.ui().notice?.text).toBe(text))
    const ask = () =>
      getResponse(api.handlers, new Request(`${url}/v1/projects`, { headers: { cookie: 'session=active' } }))
    return { api, bench, openPage, press, noticed, ask, drawn: () => drawn }
  }

  test('does what the keys say, and shows it', async () => {
    const { api, bench, press, noticed, openPage } = await workbench()
    press('p', 'viewer', 'enter')
    await noticed('session=active stands for acme-viewer from the next request on.')
    await vi.waitFor(() => expect(bench.snapshot().sessions.active).toBe('acme-viewer'))
    press('f', 'listP', 'enter', 'hang', 'enter')
    await noticed('Forced: listProjects hang.')
    press('d', 'getS', 'enter', '7', 'enter')
    await noticed('Answers of getSession wait 7 ms.')
    expect(await api.controls.delay.get()).toEqual({ all: '0', operations: { getSession: '7' } })
    press('s', 'one', 'enter')
    await noticed('Saved the state as one.')
    await vi.waitFor(() => expect(bench.snapshot().snapshots).toEqual(['one']))
    press('l', 'enter')
    await noticed('The state is that of one.')
    press('f', 'home', 'enter')
    await noticed('Nothing is forced any more.')
    press('o')
    await noticed('The page is open in the browser.')
    expect(openPage).toHaveBeenCalledOnce()
    press('r', 'enter')
    await noticed('The mock is as it began; the log stays.')
    expect(await api.controls.delay.get()).toEqual({ all: '0', operations: {} })
    press('q')
    await bench.ended
    bench.stop()
  })

  test('hears what others change and ask, and draws many requests at once', async () => {
    const { api, bench, ask, drawn } = await workbench()
    await api.controls.scenarios.set({ target: 'empty', times: 200 })
    await vi.waitFor(() => expect(bench.snapshot().scenarios).toHaveLength(1))
    const before = drawn()
    await Promise.all(Array.from({ length: 200 }, ask))
    await vi.waitFor(() => expect(bench.snapshot().log).toHaveLength(200))
    await vi.waitFor(() => expect(bench.snapshot().scenarios).toEqual([]))
    expect(drawn() - before).toBeLessThan(50)
    bench.stop()
    const stopped = bench.snapshot()
    await ask()
    await api.controls.sessions.use('expired')
    expect(bench.snapshot()).toBe(stopped)
  })

  test('keeps what was typed where the mock refuses it', async () => {
    const { bench, press } = await workbench()
    press('s', '../up', 'enter')
    await vi.waitFor(() =>
      expect(bench.ui().screen).toMatchObject({
        text: '../up',
        refusal: expect.stringMatching(/is no name/),
      }),
    )
    bench.stop()
  })

  test('shows a problem until it is mended, and a sentence until the next key', async () => {
    const { bench, press } = await workbench()
    bench.setProblem('wrong')
    bench.notify('failed', 'said')
    expect([bench.snapshot().problem, bench.ui().notice?.text]).toEqual(['wrong', 'said'])
    press('?')
    bench.setProblem()
    expect([bench.snapshot().problem, bench.ui().notice]).toEqual([undefined, undefined])
    bench.stop()
  })
})
