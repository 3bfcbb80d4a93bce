import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { define } from '../../../src/cli/mock/control-groups.js'
import { type ControlCommand, commandList, fieldType } from '../../../src/mock/controls/control-commands.js'
import { type ControlName, controlNames, isReading } from '../../../src/mock/controls/control-endpoints.js'
import { controlTable } from '../../../src/mock/controls/control-table.js'
import { createMockApi } from '../../../src/mock/mock-api.js'
import { suggest } from '../../../src/mock/surfaces/box/command-box.js'
import type { BoxContext } from '../../../src/mock/surfaces/box/suggestion.js'
import { parseState } from '../../../src/store/state-file.js'

async function contextOf(more: Partial<BoxContext> = {}): Promise<BoxContext> {
  const { controls } = createMockApi({ fixtures: parseState(demo), baseUrl: 'http://mock.test' })
  return {
    targets: await controls.targets.list(),
    personas: (await controls.sessions.list()).sessions,
    entries: await controls.log.read(),
    scenarios: [],
    named: (await controls.scenarios.possible()).named,
    snapshots: ['before-demo'],
    records: [{ kind: 'projects', key: 'p2', name: 'Mobile app' }],
    history: { undo: { title: 'Roadmap was created' } },
    ...more,
  }
}

it.each([
  ['409 create twice', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 2'],
  ['409 create once', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 1'],
  ['create 409', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 1'],
  ['409 create until cleared', 'mock scenario set createProject PROJECT_NAME_TAKEN --until-cleared'],
  ['name_taken create 3 times', 'mock scenario set createProject PROJECT_NAME_TAKEN --times 3'],
  [
    '503 list for viewer',
    'mock scenario set listProjects SERVICE_UNAVAILABLE --times 1 --session acme-viewer',
  ],
  [
    'scenario set createProject 409 --times 2',
    'mock scenario set createProject PROJECT_NAME_TAKEN --times 2',
  ],
  ['drop session', 'mock scenario set getSession drop --times 1'],
  ['be viewer', 'session use acme-viewer'],
  ['expire member', 'mock persona expire acme-member'],
  ['persona remove globex-owner', 'mock persona remove globex-owner'],
  ['session use globex', 'session use globex-owner'],
  ['100 projects for globex', 'mock project generate 100 --session globex-owner'],
  ['1000 projects for globex', 'mock project generate 1000 --session globex-owner'],
  ['generate 1,000 rows for globex-owner', 'mock project generate 1000 --session globex-owner'],
  ['delay 300 list', 'mock delay set 300 listProjects'],
  ['delay list 300', 'mock delay set 300 listProjects'],
  ['300 ms list', 'mock delay set 300 listProjects'],
  ['list 300ms', 'mock delay set 300 listProjects'],
  ['list delay 200-800', 'mock delay set 200-800 listProjects'],
  ['delay list off', 'mock delay clear listProjects'],
  ['delay 200-800', 'mock delay set 200-800'],
  ['delay off', 'mock delay clear'],
  ['chaos 10 create', 'mock chaos set createProject --error-rate 0.1'],
  ['clock 2026-01-01', 'mock clock set 2026-01-01T00:00:00Z'],
  ['empty', 'mock scenario set empty'],
  ['clear', 'mock scenario clear'],
  ['npx dashboard-api mock delay set 300', 'mock delay set 300'],
  ['undo', 'undo'],
  ['reset', 'reset'],
  ['rename mobile to Tablet app', "mock data set projects p2 'name=Tablet app'"],
  ['persona add bob', 'mock persona add bob'],
  ['handlers export', 'mock handlers export handlers.ts'],
  ['state save x.json', 'mock state save x.json'],
  ['log --curl 2', 'mock log --curl 2'],
  ['data list projects', 'mock data list projects'],
  ['snapshot list', 'mock snapshot list'],
  ['save now', 'mock snapshot save now'],
  ['load before', 'mock snapshot load before-demo'],
])('understands %s', async (text, command) => {
  expect(suggest(text, await contextOf())[0]?.command).toBe(command)
  // The command itself is understood, too.
  if (command !== 'mock scenario clear') expect(suggest(command, await contextOf())[0]?.command).toBe(command)
})

const gone = async () => {
  const entries = [4, 20, 29].map((id) => ({
    id,
    method: 'GET',
    path: '/v1/projects',
    target: 'listProjects',
  }))
  return contextOf({ entries: entries as never })
}

it.each([
  ['418 list', /^listProjects cannot answer 418\. As a custom response it can, .* possible: AUTH_REQUIRED, /],
  ['499 create once', /^createProject cannot answer 499/],
  ['100 create', /^createProject cannot answer 100\. possible: /],
  ['409 create for vieewr', /^There is no persona "vieewr"\. possible: acme-owner, /],
  ['empty for vieewr', /^There is no persona "vieewr"/],
  ['scenario set createProject 409 --session vieewr', /^There is no persona "vieewr"/],
  ['expire vieewr', /^There is no persona "vieewr"/],
  ['be vieewr', /^There is no persona "vieewr"/],
  ['send 20 as vieewr', /^There is no persona "vieewr"/],
  ['before 2', /^The log has no request 2\. possible: 4 \(the oldest\) to 29$/],
  ['log rewind 2', /^The log has no request 2/],
  ['after 3', /^The log has no request 3/],
  ['send 2', /^The log has no request 2/],
  ['before 20 create', /^"create" is not understood here/],
  ['undo create', /^"create" is not understood here/],
  ['reset clock', /^"clock" is not understood here/],
  ['clock 2026-01-01 tomorrow', /^"tomorrow" is not understood here/],
  ['save before demo', /^"before demo|^"demo"|^"before/],
  ['project set p2 --name A --status done', /is not understood here\. possible: --name NAME/],
  ['chaos off nothing', /possible: chaos 10/],
  ['delay 300 nothing', /possible: delay 300/],
  ['clear a b', /possible: clear/],
  ['delay 800-200', /"800-200" is not a delay\. possible: delay 300/],
  ['load later', /^There is no snapshot "later"\. possible: before-demo$/],
  ['snapshot delete later', /^There is no snapshot "later"/],
  ['redo', /^There is nothing to redo\.$/],
  ['rename X to Y', /^"rename X to Y" does nothing now\./],
])('refuses %s, and says what is possible', async (text, words) => {
  const [first, ...others] = suggest(text, await gone())
  expect(`${first?.text} ${first?.hint ?? ''}`.trim()).toMatch(words)
  expect([first, ...others].filter((each) => each?.action && !('show' in each.action))).toEqual([])
})

it('offers no moment that is not stored', async () => {
  const context = { ...(await gone()), history: { rewindableFrom: 20 } }
  const offered = (text: string) =>
    suggest(text, context).flatMap(({ action }) => (action && 'control' in action ? [action.input.id] : []))
  expect(offered('before')).toEqual([29, 20])
  expect(offered('before 4')).toEqual([])
  expect(suggest('before 4', context)[0]).toMatchObject({
    text: 'The data just before request 4 is not stored.',
    hint: 'possible: before 20',
  })
  const none = { ...context, history: { rewindableFrom: 30 } }
  expect(suggest('before', none)[0]?.text).toBe('The data just before request 29 is not stored.')
  // Just after the last of the requests before 20 is just before 20.
  expect(offered('after')).toEqual([29, 20, 4])
  expect(offered('after 4')).toEqual([4])
  const last = { ...context, history: { rewindableFrom: 29 } }
  expect(suggest('after 4', last)[0]).toMatchObject({
    text: 'The data just after request 4 is not stored.',
    hint: 'possible: after 20',
  })
})

it.each(['und create', '409 create 0 times', '409 create --times x'])(
  'offers no change for %s',
  async (text) => {
    expect(suggest(text, await gone()).filter(({ action }) => action && 'control' in action)).toEqual([])
  },
)

it('generates projects for the team of the persona that one is, and says why not', async () => {
  const first = async (text: string, more: Partial<BoxContext> = {}) =>
    suggest(text, await contextOf(more))[0]
  expect((await first('1000 projects', { you: 'acme-member' }))?.text).toBe(
    'Add 1,000 projects to the team of acme-member',
  )
  expect(await first('1000 projects')).toMatchObject({
    text: 'You are signed out: name a persona, whose team gets the projects.',
    hint: 'possible: 1000 projects, 1000 projects for globex-owner',
  })
  expect((await first('20000 projects'))?.text).toBe('A team can have 1 to 10,000 projects.')
  expect((await first('5 projects for nobody'))?.text).toBe('There is no persona "nobody".')
})

it('goes to a space, and back to the common one, if the mock has spaces', async () => {
  const first = async (text: string, more: Partial<BoxContext> = {}) =>
    suggest(text, await contextOf(more))[0]
  expect(await first('space checkout')).toMatchObject({
    hint: 'requests with the header or cookie x-mock-space: checkout have a mock for themselves',
    action: { page: 'space', name: 'checkout' },
  })
  expect((await first('space', { space: 'checkout' }))?.action).toEqual({ page: 'space' })
  const refusals = [
    ['space', 'needs a name'],
    ['space a b', 'is not understood here'],
    ['space ä', 'is not the name of a space'],
  ] as const
  for (const [text, reason] of refusals) {
    const refused = await first(text)
    expect(refused?.action).toBeUndefined()
    expect(refused?.text).toContain(reason)
  }
  expect((await first('space checkout', { isInPage: true }))?.text).toBe(
    'The mock of a page has no spaces: only one that is served has them.',
  )
})

it('leaves a space by leave, too', async () => {
  const first = async (text: string, more: Partial<BoxContext> = {}) =>
    suggest(text, await contextOf(more))[0]
  for (const text of ['leave', 'leave mine', 'leave the space'])
    expect(await first(text, { space: 'mine' })).toMatchObject({
      text: 'Leave the space mine',
      action: { page: 'space' },
    })
  expect(await first('leave other', { space: 'mine' })).toMatchObject({
    text: 'This is the space mine.',
    hint: 'possible: leave',
  })
  expect((await first('leave'))?.text).toBe('This is the common space, which nobody can leave.')
  expect((await first('leave', { isInPage: true }))?.text).toMatch(/^The mock of a page has no spaces/)
})

it('refuses the load of a snapshot without offering it, where there is none', async () => {
  const none = await contextOf({ snapshots: [] })
  expect(suggest('load before-demo', none)).toEqual([
    { group: 'Not possible', text: 'There are no snapshots.', hint: 'possible: save before-demo' },
  ])
})

it('ends a session by these words, first the own one, beside what is forced on an operation of that name', async () => {
  const forced = await contextOf({
    you: 'acme-viewer',
    scenarios: [{ target: 'getSession', outcome: 'drop' } as never],
  })
  const lines = (text: string) => suggest(text, forced).map(({ command }) => command)
  expect(lines('end session')[0]).toBe('mock persona expire acme-viewer')
  expect(lines('end session')).toContain('mock scenario clear getSession')
  expect(lines('end session member')[0]).toBe('mock persona expire acme-member')
  expect(lines('expire')[0]).toBe('mock persona expire acme-viewer')
})

it('takes a number alone for projects, after what it finds', async () => {
  const own = await contextOf({ ...(await gone()), you: 'acme-member' })
  expect(suggest('1000', own)[0]?.text).toBe('Add 1,000 projects to the team of acme-member')
  const found = suggest('20', own).map(({ text }) => text)
  expect(found[0]).toMatch(/^#20 /)
  expect(found.at(-1)).toBe('Add 20 projects to the team of acme-member')
  expect(suggest('1000', await contextOf())[0]?.text).toMatch(/^You are signed out/)
  expect(suggest('409', await contextOf()).every(({ action }) => action)).toBe(true)
})

it('ends the chaos of one operation alone', async () => {
  expect(suggest('chaos off create', await contextOf())[0]?.command).toBe('mock chaos clear createProject')
})

it('renames the record that there is, with all its words, and tells those of one name apart', async () => {
  const records = [
    { kind: 'projects', key: 'p1', name: 'Back to school', detail: 'team-acme' },
    { kind: 'projects', key: 'p2', name: 'Apollo', detail: 'team-acme' },
    { kind: 'projects', key: 'p3', name: 'Apollo', detail: 'team-globex' },
    { kind: 'users', key: 'user-ada', name: 'ada@acme.example', detail: 'Ada Lovelace' },
  ]
  const context = await contextOf({ records })
  const first = (text: string) => suggest(text, context)[0]?.command
  expect(first('rename back to school to Y')).toBe('mock data set projects p1 name=Y')
  expect(first('rename Apollo to Back to X')).toBe("mock data set projects p2 'name=Back to X'")
  const hints = suggest('rename apollo to X', context).map(({ hint }) => hint)
  expect(hints).toEqual(['projects · team-acme · p2', 'projects · team-globex · p3'])
  expect(suggest('apollo', context).map(({ hint }) => hint)).toEqual(hints)
  expect(suggest('lovelace', context)[0]).toMatchObject({
    text: 'ada@acme.example',
    action: { show: 'record', record: { kind: 'users' } },
  })
})

it('shows commands that a shell takes as they are', async () => {
  const name = `Pwn $(touch x) 'a' "b"`
  const records = [{ kind: 'projects', key: 'p1', name }]
  expect(suggest('pwn', await contextOf({ records }))[0]?.command).toBe(
    `mock data list projects --search 'Pwn $(touch x) '\\''a'\\'' "b"'`,
  )
  // A terminal would obey these.
  const evil = [{ kind: 'projects', key: 'p1', name: 'Pwn \u001b[201~ touch x' }]
  expect(suggest('pwn', await contextOf({ records: evil }))[0]?.command).toBeUndefined()
  expect(suggest('rename mobile to -x', await contextOf())[0]?.command).toBe(
    'mock data set projects p2 name=-x',
  )
})

it('finds the persona that has a word of its own like that', async () => {
  expect(suggest('be m', await contextOf())[0]?.command).toBe('session use acme-member')
  expect(suggest('409 create for m', await contextOf())[0]?.command).toMatch('--session acme-member')
})

it('offers what is forced for the signed-in persona, too', async () => {
  const context = await contextOf({ you: 'acme-viewer' })
  const lines = (text: string) => suggest(text, context).map(({ command }) => command)
  const taken = 'mock scenario set createProject PROJECT_NAME_TAKEN'
  const lasting = `${taken} --until-cleared`
  const all = [`${taken} --times 1`, lasting, `${taken} --times 1 --session acme-viewer`]
  expect(lines('409 create').slice(0, 3)).toEqual(all)
  expect(lines('409 create until cleared')[2]).toBe(`${lasting} --session acme-viewer`)
  expect(lines('409 create 3 times')[1]).toBe(`${taken} --times 3 --session acme-viewer`)
  // One that is named is not doubled.
  expect(lines('409 create for acme-owner')[2] ?? '').not.toMatch('acme-viewer')
  const signedOut = suggest('409 create', await contextOf()).filter(({ command }) =>
    /--session/.test(command ?? ''),
  )
  expect(signedOut).toEqual([])
})

it.each(['sign out', 'signout', 'sign-out'])('signs out by %s, if somebody is signed in', async (text) => {
  const [first] = suggest(text, await contextOf({ you: 'acme-viewer' }))
  expect(first).toMatchObject({ text: 'Sign out', action: { control: 'useSession', input: { id: null } } })
  expect(suggest(text, await contextOf())).not.toContainEqual(first)
})

/** A value of each argument. */
const samples: Record<string, string> = {
  ...{ id: '1', kind: 'projects', key: 'p2', target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' },
  ...{ record: 'name=X', fields: 'name=X', operation: 'createProject', ms: '300', name: 'before-demo' },
  ...{ at: '2026-01-01T00:00:00Z', file: 'x.json', count: '20' },
}
const lineFor = ({ path, args }: ControlCommand) => {
  const option = path === 'chaos set' ? ['--error-rate 0.1'] : []
  const values = args.map((arg) => (path === 'project set' ? 'p2' : samples[arg.replaceAll(/\W/g, '')]))
  return [path, ...values, ...option].join(' ')
}

it('takes a whole command by its words, also where its own words would mean something else, or nothing', async () => {
  const started = await contextOf({ scenarios: [{ target: 'empty' } as never] })
  expect(suggest('mock scenario set empty', started)[0]?.action).toMatchObject({ control: 'setScenario' })
  expect(suggest('empty', started)[0]?.action).toMatchObject({ control: 'clearScenarios' })
  expect(suggest('mock scenario clear createProject', await contextOf())[0]?.action).toEqual({
    control: 'clearScenarios',
    input: { target: 'createProject' },
  })
})

describe('every command of the table of controls', () => {
  const entry = { id: 1, method: 'GET', path: '/v1/projects', target: 'listProjects', status: 200 }
  const context = () =>
    contextOf({
      you: 'acme-viewer',
      entries: [entry as never],
      scenarios: [{ target: 'createProject', outcome: 'PROJECT_NAME_TAKEN' }],
      personas: [{ id: '1', email: '', permissions: [] } as never],
      history: { undo: { title: 'a' }, redo: { title: 'b' } },
    })

  it('of a custom response is to copy, as its body is a file', async () => {
    const line = `mock scenario set createProject --body body.json --status 503 --header 'Retry-After: 3'`
    const hint = 'Enter copies it: it reads or writes a file of your machine'
    const copy = { group: 'A command to copy', action: { page: 'copy' } }
    expect(suggest(line, await context())).toEqual([{ ...copy, text: line, command: line, hint }])
  })

  it.each(commandList.map((command) => [lineFor(command), command] as const))(
    'can be typed, or says why not: %s',
    async (line, { control, path }) => {
      const [first] = suggest(line, await context())
      const { action, hint, text } = first ?? {}
      // The page edits the name of a project, without a value.
      if (path === 'project set') return expect(action).toMatchObject({ show: 'record', field: 'name' })
      if (action && 'control' in action) return expect(action.control, text).toBe(control)
      if (action && 'page' in action && action.page === 'download') return expect(action.from).toBe(control)
      expect(action, text).toEqual({ page: 'copy' })
      expect(hint).toMatch(
        /^Enter copies it: it (prints what the views show|reads or writes a file of your machine)$/,
      )
    },
  )

  it('covers every control that changes something', async () => {
    const all = new Set<ControlName>(commandList.map(({ control }) => control))
    const others = controlNames.filter((name) => !all.has(name))
    expect(others.filter((name) => !isReading(name))).toEqual(['clearLog'])
    expect(suggest('clear log', await context())[0]?.action).toMatchObject({ control: 'clearLog' })
  })

  it('is one of the command line, with the types of its options', () => {
    const groups = new Set(commandList.map(({ path }) => path.split(' ')[0] ?? ''))
    for (const name of groups) {
      const group = new Command(name)
      define(group)
      const paths = group.commands.map((command) => `${name} ${command.name()}`)
      for (const { path } of commandList) if (path.startsWith(`${name} `)) expect(paths).toContain(path)
    }
    for (const [name, { input }] of Object.entries(controlTable)) {
      for (const [field, schema] of Object.entries(input instanceof z.ZodObject ? input.shape : {})) {
        const json = z.toJSONSchema(schema as z.ZodType, { io: 'input' })
        const types = [json.type, ...(json.anyOf ?? []).map((each) => Object(each).type)]
          .flat()
          .filter(Boolean)
        const type = fieldType(name as ControlName, field)
        const wanted = {
          number: ['integer', 'number'],
          flag: ['boolean'],
          list: ['array'],
          fields: ['object'],
        }
        if (type !== 'text') expect(types, `${name}.${field}`).toContainEqual(expect.toBeOneOf(wanted[type]))
        // Any value may be a text.
        else if (field !== 'response' && field !== 'kind' && types.length > 0)
          expect(types, `${name}.${field}`).toContain('string')
      }
    }
  })

  it('takes the options of a control, and refuses others, and values that are missing or not of their type', async () => {
    const read = async (text: string) => {
      const [first] = suggest(text, await context())
      return first?.action && 'input' in first.action ? first.action.input : `${first?.text} ${first?.hint}`
    }
    expect(await read('persona add bob --organization org_x --team "X Y" --permissions a,b')).toEqual({
      ...{ id: 'bob', orgCode: 'org_x', teamName: 'X Y', permissions: ['a', 'b'] },
    })
    expect(await read('data set users u1 givenName=Kim note:=null')).toEqual({
      ...{ kind: 'users', key: 'u1', fields: { givenName: 'Kim', note: null } },
    })
    expect(await read('data remove teams t1 --dependants')).toEqual({
      kind: 'teams',
      key: 't1',
      dependants: true,
    })
    expect(await read('data remove teams')).toBe(
      '"data remove" needs key. possible: data remove <kind> <key>',
    )
    expect(await read('data remove teams t1 --force')).toMatch(/^"--force" is not understood here/)
    expect(await read('data set users u1 x')).toMatch(/^"x" is not a field, as name=text/)
    expect(await read('data set users u1 x:=y')).toMatch(/^The value of a field is not JSON/)
    expect(await read('undo 17')).toEqual({ id: 17 })
    expect(await read('chaos set createProject --delay 200-800 --seed 7')).toEqual({
      ...{ target: 'createProject', delay: '200-800', seed: 7 },
    })
    expect(await read('log send 1 --method PUT')).toEqual({ id: 1, method: 'PUT' })
  })
})

it('gives files to the browser, and copies commands of the machine', async () => {
  const context = await contextOf()
  expect(suggest('state save', context)[0]?.action).toEqual({
    page: 'download',
    from: 'exportState',
    name: 'state.json',
  })
  expect(suggest('state import db.json', context)[0]).toMatchObject({
    action: { page: 'copy' },
    command: 'mock state import db.json',
  })
})

it('offers nothing for unknown text', async () => {
  expect(suggest('nothing is called this', await contextOf())).toEqual([])
  expect(suggest('409 nothing', await contextOf())).toEqual([])
})

it('concerns the selected request if no operation is named', async () => {
  const selected = { id: 3, method: 'PATCH', path: '/v1/projects/p2', target: 'updateProject', status: 200 }
  const context = await contextOf({ selected: selected as never, entries: [selected as never] })
  expect(suggest('409', context)[0]?.command).toBe(
    'mock scenario set updateProject PROJECT_NAME_TAKEN --times 1',
  )
  expect(suggest('send as viewer', context)[0]?.command).toBe('mock log send 3 --session acme-viewer')
  expect(suggest('before 3', context)[0]?.command).toBe('mock log rewind 3')
  expect(suggest('', context).length).toBeGreaterThan(4)
})
