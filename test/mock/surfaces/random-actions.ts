import fc from 'fast-check'
import type { ControlName } from '../../../src/mock/controls/control-endpoints.js'
import type { Controls, Input } from './surface-suite.js'

/** A control with its input, or a request. */
export type Action = { control: ControlName; input: Input } | { method: string; path: string; body?: object }

type Mock = Awaited<ReturnType<typeof look>>
type Make = (mock: Mock, number: number) => Action | undefined

const look = async (controls: Controls) => ({
  ...(await controls.state.export()),
  names: await controls.snapshots.list(),
  ids: (await controls.log.read()).map(({ id }) => id),
})

/** An item that a number chooses. */
const one = <Item>(items: readonly Item[], number: number): Item | undefined => items[number % items.length]

const call =
  (control: ControlName, make: (mock: Mock, number: number) => Input | undefined): Make =>
  (mock, number) => {
    const input = make(mock, number)
    return input && { control, input }
  }

const ofPersona = (control: ControlName) =>
  call(control, ({ sessions }, number) => {
    const id = one(sessions, number)?.id
    return id === undefined ? undefined : { id }
  })
const ofProject = (control: ControlName, more: (number: number) => Input) =>
  call(control, ({ projects }, number) => {
    const key = one(projects, number)?.id
    return key === undefined ? undefined : { kind: 'projects', key, ...more(number) }
  })
const ofSnapshot = (control: ControlName) =>
  call(control, ({ names }, number) => {
    const name = one(names, number)
    return name === undefined ? undefined : { name }
  })
const ofRequest = (control: ControlName, more: Input = {}) =>
  call(control, ({ ids }, number) => {
    const id = one(ids, number)
    return id === undefined ? undefined : { id, ...more }
  })
const target = (number: number) => (number % 2 ? { target: 'createProject' } : {})

/** The clock stays at a time, so that two mocks make the same records. */
const actions: Record<string, Make> = {
  create: (_, number) => ({ method: 'POST', path: '/v1/projects', body: { name: `P${number}` } }),
  list: () => ({ method: 'GET', path: '/v1/projects' }),
  rename({ projects }, number) {
    const id = one(projects, number)?.id
    return id === undefined
      ? undefined
      : { method: 'PATCH', path: `/v1/projects/${id}`, body: { name: `R${number}` } }
  },
  use: ofPersona('useSession'),
  signOut: call('useSession', () => ({ id: null })),
  addPersona: call('addSession', (_, number) => ({ id: `p${number}`, orgCode: 'org_x', teamName: 'X' })),
  expire: ofPersona('expireSession'),
  removePersona: call('removeSession', ({ sessions }, number) =>
    sessions.length > 3 ? { id: one(sessions, number)?.id } : undefined,
  ),
  add: call('addRecord', (_, number) => ({
    kind: 'projects',
    record: { name: `A${number}`, teamId: 'team-globex' },
  })),
  set: ofProject('setRecord', (number) => ({ fields: { name: `S${number}` } })),
  remove: ofProject('removeRecord', () => ({})),
  force: call('setScenario', () => ({ target: 'createProject', outcome: 'INTERNAL_ERROR', times: null })),
  once: call('setScenario', (_, number) => ({
    target: 'createProject',
    outcome: 'PROJECT_NAME_TAKEN',
    times: 1 + (number % 2),
  })),
  start: call('setScenario', () => ({ target: 'duplicate-names' })),
  clear: call('clearScenarios', (_, number) => target(number)),
  delay: call('setDelay', (_, number) => ({ ms: '1', ...target(number) })),
  noDelay: call('setDelay', (_, number) => ({ ms: null, ...target(number) })),
  chaos: call('setChaos', (_, number) => ({ errorRate: 0.5, seed: number, ...target(number) })),
  noChaos: call('clearChaos', (_, number) => target(number)),
  clock: call('setClock', (_, number) => ({ at: `20${30 + (number % 60)}-01-01T00:00:00Z` })),
  save: call('saveSnapshot', (_, number) => ({ name: `s${number % 3}` })),
  load: ofSnapshot('loadSnapshot'),
  delete: ofSnapshot('deleteSnapshot'),
  rewind: ofRequest('rewind'),
  after: ofRequest('rewind', { after: true }),
  again: ofRequest('sendAgain'),
  emptyLog: call('clearLog', () => ({})),
  file: call('loadState', ({ mock: _, names: __, ids: ___, ...records }) => ({
    ...records,
    waitlist: [],
  })),
  reset: call('reset', () => ({})),
}

/** Returns a sequence of choices: each makes an action for a mock, if the mock has what the action is about. */
export const randomActions = (seed: number, length: number) =>
  fc
    .sample(
      fc.array(fc.record({ name: fc.constantFrom(...Object.keys(actions)), number: fc.nat(10_000) }), {
        minLength: length,
        maxLength: length,
      }),
      { seed, numRuns: 1 },
    )
    .flat()
    .map(
      ({ name, number }) =>
        async (controls: Controls) =>
          actions[name]?.(await look(controls), number),
    )
