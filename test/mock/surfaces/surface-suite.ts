import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { type ControlName, controlNames } from '../../../src/mock/controls/control-endpoints.js'
import { changes, saidOf } from '../../../src/mock/controls/control-words.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { commandLine } from '../../../src/mock/surfaces/box/command-line.js'
import { parseState } from '../../../src/store/state-file.js'
import { randomActions } from './random-actions.js'

export type Input = Record<string, unknown>
export type Controls = DevServer['mock']['controls']

/**
 * Runs a control as a user of the surface does. @returns what the surface says
 * @param control the name, for surfaces without commands
 * @param line the command line, as it is typed
 */
export type Perform = (control: ControlName, input: Input, line: string) => Promise<string>

export type Surface = {
  perform: Perform
  /** Controls that the surface cannot run, with the reason. */
  cannot?: Partial<Record<ControlName, string>>
}

const project = demo.projects[0]?.id ?? ''

/** A case of each control that changes the mock, and of each form that its input has. */
export const cases: [ControlName, Input][] = [
  ['useSession', { id: 'acme-viewer' }],
  ['useSession', { id: null }],
  ['addSession', { id: 'bob', orgCode: 'org_x', teamName: 'X', permissions: ['create:projects'] }],
  ['expireSession', { id: 'acme-member' }],
  ['removeSession', { id: 'acme-viewer' }],
  ['addRecord', { kind: 'projects', record: { name: 'Added' } }],
  ['generateProjects', { count: 20 }],
  ['generateProjects', { count: 3, session: 'globex-owner' }],
  ['setRecord', { kind: 'projects', key: project, fields: { name: 'Renamed' } }],
  ['setRecord', { kind: 'users', key: 'user-vera', fields: { givenName: 'V', familyName: 'W' } }],
  ['removeRecord', { kind: 'projects', key: project }],
  ['setScenario', { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 }],
  ['setScenario', { target: 'listProjects', outcome: 'drop', times: null, session: 'acme-member' }],
  ['setScenario', { target: 'empty' }],
  ['clearScenarios', { target: 'getSession' }],
  ['clearScenarios', {}],
  ['setDelay', { ms: '200-800', target: 'createProject' }],
  ['setDelay', { ms: null }],
  ['setChaos', { errorRate: 0.5, seed: 3 }],
  ['clearChaos', {}],
  ['setClock', { at: '2027-01-01T00:00:00Z' }],
  ['setClock', {}],
  ['saveSnapshot', { name: 'two' }],
  ['loadSnapshot', { name: 'one' }],
  ['deleteSnapshot', { name: 'one' }],
  ['rewind', { id: 'of the last request' }],
  ['sendAgain', { id: 'of the last request', body: '{"name":"Again"}' }],
  ['clearLog', {}],
  ['loadState', { ...demo, $schema: undefined, waitlist: [] }],
  ['reset', {}],
]

const start = () =>
  startDevServer({
    fixtures: parseState(demo),
    port: 0,
    seed: 7,
    clock: { at: '2026-05-01T12:00:00Z' },
    onError: () => {},
  })

/** Brings a mock into a state in which each control makes a difference. */
async function prepare({ url, mock: { controls } }: DevServer): Promise<void> {
  await controls.reset()
  for (const name of await controls.snapshots.list()) await controls.snapshots.delete(name)
  await fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
    body: '{"name":"Roadmap"}',
  })
  await controls.snapshots.save('one')
  await controls.data.remove('projects', demo.projects[1]?.id ?? '')
  await controls.scenarios.set({ target: 'getSession', outcome: 500, times: null } as never)
  await controls.delay.set(1)
  await controls.chaos.set({ errorRate: 0.25, seed: 1, target: 'joinWaitlist' })
  await controls.sessions.use('acme-owner')
}

const madeId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Everything that a change of a control can be seen by. Ids of requests and made ids differ between two mocks. */
async function stateOf(controls: Controls): Promise<{ mock: object }> {
  const { mock, ...records } = await controls.state.export()
  const text = JSON.stringify({
    records,
    mock: { ...mock, log: mock?.log?.map(({ method, path, status }) => [method, path, status]) },
    active: (await controls.sessions.list()).active,
  })
  const ids = [...new Set(text.match(madeId))]
  return JSON.parse(ids.reduce((all, id, i) => all.replaceAll(id, `id ${i}`), text))
}

/** The log continues after a reset: each mock has numbers of its own. */
async function withLastId(input: Input, controls: Controls): Promise<Input> {
  if (input.id !== 'of the last request') return input
  return { ...input, id: (await controls.log.read()).at(-1)?.id }
}

/** Sends a request. A failure by chaos is an answer, too. */
const send = (url: string, method: string, path: string, body?: object) =>
  fetch(url + path, {
    method,
    headers: { cookie: 'session=acme-owner', 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).then(({ status }) => status)

/** A surface of a mock beside a mock that is controlled in process. Both begin with the fixtures. */
async function openBoth(open: OpenSurface) {
  const [server, reference] = await Promise.all([start(), start()])
  const surface = await open(server)
  const { controls } = server.mock
  const engine = reference.mock.controls
  const steps = async (of: Controls) =>
    (await of.steps()).map(({ done, isUndone }) => [done.replaceAll(madeId, 'id'), isUndone])
  return {
    surface,
    engine,
    /** Runs a control by both. @returns whether it made a step */
    async run(control: ControlName, input: Input, same: Input): Promise<boolean> {
      const line = commandLine(control, input) ?? ''
      const said = await surface.perform(control, input, line)
      const { step } = await engine.run(control, same)
      expect([line, said.replaceAll(/\s+/g, ' ')]).toEqual([
        line,
        expect.stringContaining(saidOf(control, step, input)),
      ])
      return step !== undefined
    },
    /** The action of each mock, whose ids may differ. */
    both: async (choose: ReturnType<typeof randomActions>[number]) =>
      [await choose(controls), await choose(engine)] as const,
    async send(method: string, path: string, samePath: string, body?: object) {
      const [status, same] = [
        await send(server.url, method, path, body),
        await send(reference.url, method, samePath, body),
      ]
      expect([method, path, status]).toEqual([method, path, same])
    },
    /** The state and the steps, which are the same in both. */
    async state() {
      expect(await steps(controls)).toEqual(await steps(engine))
      const state = await stateOf(controls)
      expect(state).toEqual(await stateOf(engine))
      return state
    },
    close: () => Promise.all([server.close(), reference.close()]),
  }
}

/** Requests stay in the log when they are undone. */
const withoutLog = (state: { mock: object }) => ({ ...state, mock: { ...state.mock, log: undefined } })

type OpenSurface = (server: DevServer) => Promise<Surface>

/** How many random sequences a surface runs, and of how many controls and requests each is. */
type Random = { sequences: number; length?: number }

/**
 * Runs every control through a surface, and undoes it there: the state and the words are those of the same control in process.
 * So they are at each step of random sequences, which are undone to the beginning and redone to the end.
 * @param open opens the surface of a mock
 */
export function testSurface(name: string, open: OpenSurface, { sequences, length = 30 }: Random): void {
  describe(`the controls by ${name}`, () => {
    const seeds = Array.from({ length: sequences }, (_, i) => i + 1)
    it.each(seeds)(
      `are undone and redone as in process, in a random sequence of ${length} controls and requests, seed %d`,
      async (seed) => {
        const mocks = await openBoth(open)
        onTestFinished(async () => void (await mocks.close()))
        const { surface, engine, run } = mocks
        const states = [await mocks.state()]
        for (const choose of randomActions(seed, length)) {
          const [action, same] = await mocks.both(choose)
          if (!action || !same) continue
          const before = (await engine.steps()).length
          if ('method' in action && 'method' in same)
            await mocks.send(action.method, action.path, same.path, action.body)
          else if ('control' in action && 'control' in same && surface.cannot?.[action.control] === undefined)
            await run(action.control, action.input, same.input)
          const state = await mocks.state()
          if ((await engine.steps()).length > before) states.push(state)
        }
        expect(states.length).toBeGreaterThan(length / 3)
        for (const then of states.slice(0, -1).toReversed()) {
          await run('undo', {}, {})
          expect(withoutLog(await mocks.state())).toEqual(withoutLog(then))
        }
        for (const then of states.slice(1)) {
          await run('redo', {}, {})
          expect(withoutLog(await mocks.state())).toEqual(withoutLog(then))
        }
      },
      300_000,
    )

    let surface: Surface
    let server: DevServer
    let reference: DevServer
    beforeAll(async () => {
      ;[server, reference] = await Promise.all([start(), start()])
      surface = await open(server)
    }, 120_000)
    afterAll(async () => {
      await server?.close()
      await reference?.close()
    })

    it('has a case for each control that changes the mock', () => {
      const tested = new Set(cases.map(([control]) => control))
      const missing = controlNames.filter((control) => changes(control) && !tested.has(control))
      expect(missing).toEqual(['undo', 'redo', 'createSpace', 'removeSpace'])
    })

    it.each(cases.map(([control, input]) => [control, JSON.stringify(input).slice(0, 60), input] as const))(
      '%s %s has the same effect, words and undo',
      async (control, _, input) => {
        const reason = surface.cannot?.[control]
        // The reason is a part of the surface's description.
        if (reason !== undefined) return expect(reason).not.toBe('')
        const { controls } = server.mock
        await prepare(server)
        await prepare(reference)
        const before = await stateOf(controls)
        const given = await withLastId(input, controls)
        const said = await surface.perform(control, given, commandLine(control, given) ?? '')
        const same = await withLastId(input, reference.mock.controls)
        const { step } = await reference.mock.controls.run(control, same)
        expect(step).toBeDefined()
        // Numbers of requests are those of each mock.
        expect(said.replaceAll(/\s+/g, ' ')).toContain(saidOf(control, step, given))
        expect(await stateOf(controls)).toEqual(await stateOf(reference.mock.controls))
        const undone = await surface.perform('undo', {}, 'undo')
        const back = await reference.mock.controls.run('undo')
        expect(undone.replaceAll(/\s+/g, ' ')).toContain(saidOf('undo', back.step, {}))
        if (control !== 'sendAgain') expect(await stateOf(controls)).toEqual(before)
        else expect(await stateOf(controls)).toEqual(await stateOf(reference.mock.controls))
      },
      120_000,
    )
  })
}
