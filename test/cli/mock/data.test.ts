import { expect, test } from 'vitest'
import { run } from '../cli-process.js'
import { refused, rowsOf, runningMock } from './running-mock.js'

test('projects of a running mock are added, changed, listed and removed, by default in the team of the persona', async () => {
  const { cli, json, request, url } = await runningMock()
  const added = await cli('mock', 'project', 'add', 'Aurora', '--description', 'Lights')
  expect(added).toMatchObject({ code: 0, stderr: 'Added the project "Aurora".\n' })
  const id = added.stdout.trim()
  const changes = ['--status', 'paused', '--no-description', '--team', 'org_globex']
  expect((await json('mock', 'project', 'set', id, ...changes)).project).toMatchObject({
    id,
    name: 'Aurora',
    description: null,
    status: 'paused',
    teamId: 'team-globex',
  })
  expect(rowsOf(await cli('mock', 'project', 'list', '--team', 'team-globex'))[1]).toEqual(
    expect.arrayContaining(['Aurora', 'paused', id]),
  )
  const own = await (await request()).json()
  expect((await json('mock', 'project', 'list')).projects).toEqual(own.projects)

  expect(await cli('mock', 'project', 'remove', id)).toMatchObject({ code: 0, stdout: `${id}\n` })
  expect(await cli('mock', 'project', 'set', id, '--name', 'New')).toMatchObject(refused(/no record/))
  expect(await cli('mock', 'project', 'set', id)).toMatchObject(refused(/Name a field/))
  expect(await cli('mock', 'project', 'add', '')).toMatchObject(refused(/projects\[6\]\.name: /))
  expect(await cli('mock', 'project', 'add', 'A', '--team', 'org_none')).toMatchObject(
    refused(/org_acme, org_globex/),
  )
  const other = await run(['mock', 'project', 'list'], {
    env: { DASHBOARD_API_URL: url, DASHBOARD_API_DATABASE: 'x.db' },
  })
  expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('Name\tStatus') })
})

test('a persona is added with its team, chosen, and removed', async () => {
  const { cli, json, request } = await runningMock()
  const options = [
    '--organization',
    'org_initech',
    '--team',
    'Initech',
    '--permissions',
    '',
    '--role',
    'guest',
  ]
  expect(await json('mock', 'persona', 'add', 'initech-guest', ...options)).toEqual({
    id: 'initech-guest',
    email: 'initech-guest@mock.example',
    orgCode: 'org_initech',
    role: 'guest',
  })
  await cli('session', 'use', 'initech-guest')
  expect((await request({ method: 'POST', body: '{"name":"A"}' })).status).toBe(403)
  expect((await cli('mock', 'persona', 'remove', 'initech-guest')).stderr).toContain(
    'no persona "initech-guest"',
  )
  expect(await cli('mock', 'persona', 'remove', 'initech-guest')).toMatchObject(
    refused(/no persona "initech-guest"/),
  )
  expect((await cli('undo')).stderr).toBe('Undone: persona remove initech-guest (2 records).\n')
})

test('records of any kind are listed, added, changed and removed', async () => {
  const { cli, json } = await runningMock()
  expect(await cli('mock', 'data', 'add', 'users', 'email=kim@acme.example', 'givenName=Kim')).toMatchObject({
    code: 0,
    stdout: 'user-kim\n',
  })
  await cli(
    'mock',
    'data',
    'set',
    'sessions',
    'acme-viewer',
    'permissions:=["x"]',
    'note:=null',
    'userId=user-kim',
  )
  const page = await json(
    'mock',
    'data',
    'list',
    'sessions',
    '--search',
    'USER-KIM',
    '--sort=-id',
    '--limit',
    '5',
  )
  expect(page).toEqual({
    total: 10,
    matched: 1,
    records: [
      { id: 'acme-viewer', userId: 'user-kim', orgCode: 'org_acme', permissions: ['x'], role: 'viewer' },
    ],
  })
  expect(rowsOf(await cli('mock', 'data', 'list', 'teams'))).toEqual([
    ['id', 'name', 'orgCode'],
    ['team-acme', 'Acme', 'org_acme'],
    ['team-globex', 'Globex', 'org_globex'],
  ])
  expect(await cli('mock', 'data', 'remove', 'users', 'user-kim')).toMatchObject(
    refused(/sessions acme-viewer/),
  )
  expect((await json('mock', 'data', 'remove', 'users', 'user-kim', '--dependants')).removed).toMatchObject({
    users: 1,
    sessions: 1,
  })
  expect(await cli('mock', 'data', 'add', 'teams', 'name')).toMatchObject(refused(/"name" is not a field/))
  expect(await cli('mock', 'data', 'add', 'teams', 'name:={')).toMatchObject(refused(/not JSON/))
  expect(await cli('mock', 'data', 'list', 'people')).toMatchObject(refused(/Allowed choices are teams/))
})
