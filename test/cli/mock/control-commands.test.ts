import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { run } from '../cli-process.js'
import { post, runningMock } from './running-mock.js'

// Each command calls its control, and prints its result. The controls themselves are tested in test/mock/controls.

const like = (value: object) => expect.objectContaining(value)
const scenarioTitles = 'Operation\tOutcome\tTimes\tSession\n'

test('mock scenario', async () => {
  const { cli, cwd, json, play, request, url } = await runningMock()
  const statuses = async (...headers: Record<string, string>[]) =>
    Promise.all(headers.map(async (each) => (await request({}, each)).status))
  const viewer = { cookie: 'session=acme-viewer' }
  const one = { 'x-mock-space': 'one' }
  writeFileSync(`${cwd}/wrong.json`, '{ "projects": [{ "id": 1 }] }')
  // For the next request, unless a number or --until-cleared is given.
  const set = await cli('mock', 'scenario', 'set', 'createProject', 'PROJECT_NAME_TAKEN')
  expect(set.stdout).toBe(`${scenarioTitles}createProject\tPROJECT_NAME_TAKEN\t1\t\n`)
  // The printed command ends this one, in its space, and has the address of this mock if the option gave it.
  const end = (options = '') => `End it with "npx dashboard-api mock scenario clear createProject${options}".`
  expect(set.stderr).toContain(end(` --url ${url}`))
  expect((await cli('mock', 'scenario', 'set', 'createProject', '409')).stderr).toBe('Nothing was changed.\n')
  const inSpace = ['mock', 'scenario', 'set', 'createProject', '409', '--space', 'two']
  const known = await run(inSpace, { cwd, env: { DASHBOARD_API_URL: url } })
  expect(known.stderr).toContain(end(' --space two'))
  await play(
    async () => expect((await (await request(post('New'))).json()).code).toBe('PROJECT_NAME_TAKEN'),
    ['mock scenario list', { json: [] }],
    // For one persona in one space.
    ['mock scenario set listProjects 500 --session acme-viewer --space one'],
    async () => expect(await statuses(one, { ...one, ...viewer }, viewer)).toEqual([200, 500, 200]),
    ['mock scenario set empty'],
    ['mock scenario set getSession hang --until-cleared'],
    async () => expect(await (await request()).json()).toEqual({ projects: [] }),
    ['mock scenario clear empty', { json: [{ target: 'getSession', outcome: 'hang' }] }],
    ['mock scenario clear', { json: [] }],
    // Custom responses.
    [
      'mock scenario set listProjects --body wrong.json',
      /^error: The contract has another body .* projects\[0\]\.id: /,
    ],
    [
      'mock scenario set listProjects --status 500',
      /^error: --status, --header and --unchecked need --body\.\nhint: Give the path of a JSON file/,
    ],
    [
      'mock scenario set listProjects --body wrong.json --status 418',
      /no response with status 418: add --unchecked, or choose another/,
    ],
    [
      'mock scenario set createProject 413',
      /cannot answer 413\. As a custom response \(--body\) it can, with --unchecked if the contract lacks .* Possible: /,
    ],
    [
      'mock scenario set createProject 409 --times 1 --until-cleared',
      /'--until-cleared' cannot be used with .*--times/,
    ],
    [
      'mock scenario set listProjects --body wrong.json --status 502 --unchecked --times 1',
      `${scenarioTitles}listProjects\tunchecked response 502\t1\t\n`,
    ],
    async () => expect(await (await request()).json()).toEqual({ projects: [{ id: 1 }] }),
    [
      'mock scenario set listProjects PROJECT_NAME_TAKEN',
      /^error: listProjects cannot answer .* Possible: AUTH_REQUIRED, /,
    ],
    [
      'mock scenario set dropProjects 500',
      /no target or scenario "dropProjects".* Possible: createProject, .*empty/,
    ],
    [
      "mock scenario set 'GET /api/gone' 418",
      /no target "GET \/api\/gone"\. .*takes an outcome once it was requested, and a custom response \(--body\) at any/,
    ],
    ['mock scenario set listProjects 500 --session nobody', /acme-owner/],
    ['mock scenario set listProjects 500 --space no/name', /x-mock-space/],
  )
  const possible = await cli('mock', 'scenario', 'list', '--possible')
  expect(possible.stdout).toMatch(/^joinWaitlist\tVALIDATION_FAILED\t$/m)
  expect(possible.stdout).toMatch(/^empty\t\t.*No projects/m)
  const { operations, named } = await json('mock', 'scenario', 'list', '--possible')
  expect(operations.createProject).toContain('PROJECT_NAME_TAKEN')
  expect(Object.keys(named)).toEqual(['empty', 'duplicate-names'])
})

test('mock chaos, which dev --chaos begins', async () => {
  const { cli, play, request } = await runningMock(['--chaos', '1', '--seed', '3'])
  const titles = 'Operation\tError rate\tMilliseconds\tSeed\tOutcomes\n'
  const all = 'all\t0.1\t200-2000\t7\tINTERNAL_ERROR SERVICE_UNAVAILABLE\n'
  const limited = { errorRate: 1, seed: 3, outcomes: ['RATE_LIMITED'] }
  expect((await request()).status).toBeGreaterThanOrEqual(500)
  await play(
    ['mock chaos show', `${titles}all\t1\t\t3\tINTERNAL_ERROR SERVICE_UNAVAILABLE\n`],
    ['mock chaos clear', titles],
    ['mock chaos set --error-rate 0.1 --delay 200-2000 --seed 7', titles + all],
    [
      'mock chaos set listProjects --error-rate 1 --outcome 429 drop',
      `${titles + all}listProjects\t1\t\t3\tRATE_LIMITED drop\n`,
    ],
    ['mock chaos clear listProjects', titles + all],
    ['mock chaos set', /error: Chaos takes an error rate from 0 to 1, a delay, or both\./],
    ['mock chaos set --error-rate 10%', /number from 0 to 1, e\.g\. 0\.1\./],
    [
      'mock chaos set listProjects --error-rate 1 --outcome 404',
      /error: listProjects cannot answer 404\. Possible: /,
    ],
    [
      'mock chaos set listProjects --error-rate 1 --outcome 429',
      { json: like({ operations: { listProjects: limited } }) },
    ],
    async () => expect((await request()).status).toBe(429),
  )
  expect((await cli('mock', 'scenario', 'list')).stderr).toContain(
    'Requests fail at random, too: "npx dashboard-api mock chaos show".',
  )
})

test('mock delay, mock clock, reset', async () => {
  const { play, request } = await runningMock()
  const [time, later] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00Z']
  await play(
    ['mock delay set 80-90'],
    ['mock delay set 5 createProject', 'Operation\tMilliseconds\nall\t80-90\ncreateProject\t5\n'],
    ['mock delay clear createProject', { json: { all: '80-90', operations: {} } }],
    ['mock delay set 5 createProject'],
    ['mock delay clear'],
    ['mock delay show', { json: { all: '0', operations: {} } }],
    ['mock delay set soon', /"soon" is not a delay.*200-800/],
    ['mock delay set 5 noOperation', /createProject/],
    ['mock clock set 2026-01-01T00:00:00Z', `${time}\tfixed\n`],
    async () =>
      expect(await (await request(post('New'))).json()).toMatchObject({ project: { createdAt: time } }),
    [`mock clock set ${later} --ticking`, { json: like({ mode: 'ticking' }) }],
    ['mock clock clear', { json: like({ mode: 'real' }) }],
    ['mock clock show', { json: like({ mode: 'real' }) }],
    ['mock clock set noon', /is not a time with a zone/],
    ['session use acme-viewer'],
    ['mock scenario set listProjects 500'],
    ['reset', ''],
    async () => expect(await (await request()).text()).not.toContain('"New"'),
    ['session current', { json: like({ id: 'acme-owner' }) }],
    ['reset', { json: { ok: true } }],
  )
})

test('mock persona, session use', async () => {
  const { cli, play, request } = await runningMock()
  const [head, first, ...rest] = (await cli('mock', 'persona', 'list')).stdout.trimEnd().split('\n')
  expect(head).toBe('Active\tPersona\tEmail\tOrganisation\tRole\tNote')
  expect(first).toMatch(/^\*\tacme-owner\tada@acme\.example\torg_acme\towner\t/)
  expect(rest).toHaveLength(9)
  const nora = like({ id: 'no-organization', email: 'nora@example.com' })
  const guest = { id: 'guest', email: 'guest@mock.example', orgCode: 'org_initech', role: 'guest' }
  await play(
    ['mock persona list', { json: like({ active: 'acme-owner', sessions: expect.arrayContaining([nora]) }) }],
    ['session use acme-viewer', 'acme-viewer\n'],
    async () => expect((await request(post('New'))).status).toBe(403),
    ['session current', 'acme-viewer\n'],
    ['session use no-organization', { json: nora }],
    ['session use nobody', /no persona "nobody".*acme-owner/],
    [
      "mock persona add guest --organization org_initech --team Initech --permissions '' --role guest",
      { json: guest },
    ],
    [
      "mock persona add near --permissions ' create:projects'",
      /--permissions <list> cannot be " create:projects"\. .*without blanks/,
    ],
    ["mock persona add near --permissions 'create:projects, update:projects'", /without blanks around them/],
    ['session use near', /no persona "near"/],
    ['session use guest'],
    async () => expect((await request(post('New'))).status).toBe(403),
  )
  // The mock used its session.
  expect((await cli('mock', 'persona', 'remove', 'guest')).stderr).toContain('no persona "guest"')
  await play(['mock persona remove guest', /no persona "guest"/])
  expect((await cli('undo')).stderr).toBe('Went back to before the persona guest was removed.\n')
  // A session that ends.
  expect((await cli('mock', 'persona', 'expire', 'acme-owner')).stderr).toBe(
    'The session of acme-owner expired.\n',
  )
  expect((await request({}, { cookie: 'session=acme-owner' })).status).toBe(401)
  await play(['undo'])
  expect((await request({}, { cookie: 'session=acme-owner' })).status).toBe(200)
})

test('mock project, by default for the team of the persona', async () => {
  const { cli, json, play, request, url } = await runningMock()
  const added = await cli('mock', 'project', 'add', 'Aurora', '--description', 'Lights')
  expect(added).toMatchObject({ code: 0, stderr: 'Aurora was created.\n' })
  const id = added.stdout.trim()
  const changed = { id, name: 'Aurora', description: null, status: 'paused', teamId: 'team-globex' }
  await play(
    [
      `mock project set ${id} --status paused --no-description --team org_globex`,
      { json: { project: like(changed) } },
    ],
    [
      'mock project list --team team-globex',
      expect.stringMatching(new RegExp(`^Name\\tStatus\\t.*\\n.*Aurora\\tpaused\\t\\S+\\t${id}`, 's')),
    ],
    async () => expect(await json('mock', 'project', 'list')).toMatchObject(await (await request()).json()),
    [`mock project remove ${id}`, `${id}\n`],
    [`mock project set ${id} --name New`, /no record/],
    [`mock project set ${id}`, /Name a field/],
    ["mock project add ''", /^error: name: Must not be empty/],
    ['mock project add A --team org_none', /org_acme, org_globex/],
  )
  // A database in the environment is ignored.
  const env = { DASHBOARD_API_URL: url, DASHBOARD_API_DATABASE: 'x.db' }
  expect((await run(['mock', 'project', 'list'], { env })).code).toBe(0)
})

test('mock data', async () => {
  const { play } = await runningMock()
  const viewer = {
    id: 'acme-viewer',
    userId: 'user-kim',
    orgCode: 'org_acme',
    permissions: ['x'],
    role: 'viewer',
  }
  await play(
    ['mock data add users email=kim@acme.example givenName=Kim', 'user-kim\n'],
    [`mock data set sessions acme-viewer permissions:=["x"] note:=null userId=user-kim`],
    [
      'mock data list sessions --search USER-KIM --sort=-id --limit 5',
      { json: { total: 10, matched: 1, records: [viewer] } },
    ],
    [
      'mock data list teams',
      'id\tname\torgCode\nteam-acme\tAcme\torg_acme\nteam-globex\tGlobex\torg_globex\n',
    ],
    ['mock data remove users user-kim', /sessions acme-viewer/],
    [
      'mock data remove users user-kim --dependants',
      { json: like({ removed: like({ users: 1, sessions: 1 }) }) },
    ],
    [
      'mock data add teams name',
      /^error: <record\.\.\.> cannot be "name"\. Expected a field, as name=text or name:=json\.\nhint: "npx dashboard-api mock data add --help" shows the usage\.\n$/,
    ],
    [`mock data add teams ${'long'.repeat(100)}`, /cannot be "(long){49}lon…\. Expected/],
    ['mock data add teams name:={', /The value of name: line 1, column 2: not JSON: close brace expected/],
    [`mock data add teams id=bom orgCode=bom 'name:=\uFEFF"Marked"'`],
    ['mock data remove teams bom'],
    ['mock data list people', /Allowed choices are teams/],
  )
})

test('mock space', async () => {
  const { cli, play, request } = await runningMock()
  const inTwo = async () => (await (await request({}, { 'x-mock-space': 'two' })).json()).projects.length
  await play(
    ['mock space list', { json: [] }],
    ['mock space create one', 'Space\none\n'],
    ['mock scenario set empty --space two'],
    ['mock space list', { json: ['one', 'two'] }],
    async () => expect(await inTwo()).toBe(0),
    ['mock space create two'],
    async () => expect(await inTwo()).toBe(4),
    ['mock space remove two', 'Space\none\n'],
    ['mock space remove two', /no space "two".*one/],
    ["mock space create 'a b'", /x-mock-space takes/],
  )
  expect((await cli('mock', 'space', 'create', 'three')).stderr).toBe('The space three was created.\n')
})

test('mock snapshot, state', async () => {
  const { cli, cwd, play, request } = await runningMock()
  const before = await (await request()).text()
  const isAsBefore = async () => expect(await (await request()).text()).toBe(before)
  const write = (name: string, value: unknown) => writeFileSync(`${cwd}/${name}`, JSON.stringify(value))
  /** The records of a state, which has other parts of the mock, too. */
  const recordsIn = (text: string) => ({ ...JSON.parse(text), mock: undefined })
  const saved = () => recordsIn(readFileSync(`${cwd}/state.json`, 'utf8'))
  await play(
    ['mock snapshot save before', 'Snapshot\nbefore\n'],
    ['state save state.json', ''],
    () => request(post('New')),
    ['mock snapshot list', { json: ['before'] }],
    ['mock snapshot load before', ''],
    isAsBefore,
    ['mock snapshot load later', /no snapshot "later".*before/],
    ['mock snapshot save ../up', /is not a snapshot name/],
    ['mock snapshot save after'],
    ['mock snapshot delete before', 'Snapshot\nafter\n'],
    ['mock snapshot delete before', /no snapshot "before".*after/],
    () => request(post('New')),
    ['state load state.json', ''],
    isAsBefore,
    async () => expect(recordsIn((await cli('state', 'export')).stdout)).toEqual(saved()),
  )
  write('invalid.json', { version: 1, projects: [{}] })
  await play(['state load invalid.json', /projects\[0\]\.name/], isAsBefore, ['session use acme-viewer'])
  const state = saved()
  write('less.json', {
    ...state,
    sessions: state.sessions.filter(({ id }: { id: string }) => id !== 'acme-viewer'),
  })
  expect((await cli('mock', 'snapshot', 'load', 'after')).stderr).toBe('Nothing was changed.\n')
  await play(['session current', 'acme-viewer\n'])
  expect((await cli('state', 'load', 'less.json')).stderr).toBe(
    'A state was loaded.\nThe state has no persona "acme-viewer": session=active stands for "acme-owner" now.\n',
  )
})
