import { expect, test } from 'vitest'
import { start } from '../cli-process.js'
import { post, rowsOf, runningMock } from './running-mock.js'

test('a mock that is stopped ends the waits for requests', async () => {
  const { dev, url, cli } = await runningMock()
  const waiting = start(['mock', 'log', 'wait', 'listProjects', '--timeout', '300000', '--url', url])
  // It starts at the same time as this command, which is answered after it.
  await cli('mock', 'log', 'wait', 'createProject', '--timeout', '500')
  dev.child.kill('SIGTERM')
  expect(await dev.ended).toMatchObject({ code: 0 })
  expect((await waiting.ended).code).not.toBe(0)
})

test('log calls, expect and wait show requests to a target with their bodies, or say what came instead', async () => {
  const { request, play } = await runningMock()
  await request(post('Roadmap'))
  await request(post('Roadmap'))
  const first = `1\t201\tacme-owner\t{"name":"Roadmap"}\n`
  const second = `2\t409\tacme-owner\t{"name":"Roadmap"}\n`
  const head = 'Id\tStatus\tPersona\tBody\n'
  await play(
    ['mock log calls createProject', head + first + second],
    ["mock log calls 'POST /v1/projects' --status 4xx", head + second],
    ["mock log calls createProject --session 'signed out'", head],
    [`mock log expect createProject --times 2 --body '{"name":"Roadmap"}'`, head + first + second],
    [`mock log expect createProject --since 1`, head + second],
    [`mock log wait createProject --status 409`, expect.stringContaining('"name":"Roadmap"')],
    ["mock log expect createProject --body '{bad'", /The body \{bad begins like JSON, and is none\./],
    ['mock log expect createProject --status 4x', /Expected a status: one such as 409/],
    ['mock log expect createProject --times -1', /--times <number> cannot be "-1"/],
    ['mock log calls createProjct', /Did you mean createProject\?/],
  )
})

test('log expect ends with 1 where calls are not as expected, and names the nearest', async () => {
  const { request, cli } = await runningMock()
  await request(post('Roadmap'))
  const body = '{"name":"Apollo"}'
  expect(await cli('mock', 'log', 'expect', 'createProject', '--timeout', '0', '--body', body)).toMatchObject(
    {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('request 1 (acme-owner, 201): name is "Roadmap", not "Apollo"'),
    },
  )
})

test('log shows the requests that its options choose', async () => {
  const { request, cli, json, play } = await runningMock()
  await request()
  await request(post('Roadmap'))
  await request(post('Roadmap'))
  await request({}, { cookie: '' })
  const idsOf = async (...options: string[]) =>
    rowsOf(await cli('mock', 'log', ...options))
      .slice(1)
      .map(([id]) => Number(id))
  expect(await idsOf('--target', 'createProject', '--status', '4xx')).toEqual([3])
  expect(await idsOf('--session', 'signed out')).toEqual([4])
  expect(await idsOf('--text', 'roadmap')).toEqual([2, 3])
  expect(await idsOf('--failed')).toEqual([3, 4])
  expect(await idsOf('--since', '1', '--limit', '2')).toEqual([2, 3])
  expect(await idsOf('--before', '3', '--limit', '1')).toEqual([2])
  expect(await json('mock', 'log', '--failed', '--limit', '1')).toMatchObject({ id: 4, status: 401 })
  await play(
    ['mock log --status 4x', /Expected a status/],
    ['mock log --limit 0', /--limit <number> cannot be "0"/],
    ['mock log --target createProjct', /Did you mean createProject\?/],
  )
})

test('handlers describe shows an operation, and names the target that a path matches', async () => {
  const { json, play } = await runningMock()
  expect(await json('mock', 'handlers', 'describe', 'POST /v1/projects')).toMatchObject({
    target: 'createProject',
    responses: { '409 PROJECT_NAME_TAKEN': expect.any(String) },
  })
  await play(
    ['mock handlers describe empty', expect.stringContaining('No projects')],
    ["mock handlers describe 'PATCH /v1/projects/5'", /updateProject matches it\./],
    ['mock handlers describe createProjct', /Did you mean createProject\?/],
  )
})
