import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { post, refused, rowsOf, runningMock } from './running-mock.js'

describe('dashboard-api scenario', () => {
  test('forces an outcome a number of times', async () => {
    const { cli, json, request } = await runningMock()
    const set = await cli('mock', 'scenario', 'set', 'createProject', 'PROJECT_NAME_TAKEN', '--times', '1')
    // The printed command contains the address of this mock.
    expect(set.stderr).toMatch(/scenario clear --url http:\/\/localhost:\d+"/)
    expect(set.code).toBe(0)
    expect(set.stdout).toBe('Operation\tOutcome\tTimes\tSession\ncreateProject\tPROJECT_NAME_TAKEN\t1\t\n')
    const taken = await request(post('New'))
    expect(taken.status).toBe(409)
    expect(await taken.json()).toMatchObject({ code: 'PROJECT_NAME_TAKEN' })
    expect((await request(post('New'))).status).toBe(201)
    expect(await json('mock', 'scenario', 'list')).toEqual([])
  })

  test('applies to one persona and one space', async () => {
    const { cli, request } = await runningMock()
    await cli('mock', 'scenario', 'set', 'listProjects', '500', '--session', 'acme-viewer', '--space', 'one')
    expect((await request({}, { 'x-mock-space': 'one' })).status).toBe(200)
    expect((await request({}, { 'x-mock-space': 'one', cookie: 'session=acme-viewer' })).status).toBe(500)
    expect((await request({}, { cookie: 'session=acme-viewer' })).status).toBe(200)
  })

  test('starts a named scenario, and ends one or all', async () => {
    const { cli, json, request } = await runningMock()
    await cli('mock', 'scenario', 'set', 'empty')
    await cli('mock', 'scenario', 'set', 'getSession', 'hang')
    expect(await (await request()).json()).toEqual({ projects: [] })
    expect(await json('mock', 'scenario', 'clear', 'empty')).toEqual([
      { target: 'getSession', outcome: 'hang' },
    ])
    expect(await json('mock', 'scenario', 'clear')).toEqual([])
  })

  test("gives a response of one's own, and a broken one", async () => {
    const { cli, cwd, request } = await runningMock()
    const set = (...args: string[]) => cli('mock', 'scenario', 'set', 'listProjects', ...args)
    writeFileSync(`${cwd}/wrong.json`, '{ "projects": [{ "id": 1 }] }')
    expect(await set('--body', 'wrong.json')).toMatchObject(
      refused(/^error: The contract has another body for status 200 of listProjects; .* projects\[0\]\.id: /),
    )
    expect(await set('--status', '500')).toMatchObject(
      refused(/^error: --status and --unchecked need --body/),
    )
    expect((await set('--body', 'wrong.json', '--status', '502', '--unchecked', '--times', '1')).stdout).toBe(
      'Operation\tOutcome\tTimes\tSession\nlistProjects\tunchecked response 502\t1\t\n',
    )
    const broken = await request()
    expect([broken.status, await broken.json()]).toEqual([502, { projects: [{ id: 1 }] }])
  })

  test('refuses an impossible outcome, with the possible ones', async () => {
    const { cli } = await runningMock()
    const set = (...args: string[]) => cli('mock', 'scenario', 'set', ...args)
    expect(await set('listProjects', 'PROJECT_NAME_TAKEN')).toMatchObject(
      refused(
        /^error: listProjects cannot answer PROJECT_NAME_TAKEN\. Possible: AUTH_REQUIRED, .*drop, hang\.\n$/,
      ),
    )
    expect(await set('dropProjects', '500')).toMatchObject(refused(/Possible: createProject, .*empty/))
    expect(await set('listProjects', '500', '--session', 'nobody')).toMatchObject(refused(/acme-owner/))
    expect(await set('listProjects', '500', '--space', 'no/name')).toMatchObject(refused(/x-mock-space/))
  })

  test('lists the possible scenarios', async () => {
    const { cli, json } = await runningMock()
    const rows = rowsOf(await cli('mock', 'scenario', 'list', '--possible'))
    expect(rows).toContainEqual(['joinWaitlist', 'VALIDATION_FAILED', ''])
    expect(rows).toContainEqual(['empty', '', expect.stringContaining('No projects')])
    const { operations, named } = await json('mock', 'scenario', 'list', '--possible')
    expect(operations.createProject).toContain('PROJECT_NAME_TAKEN')
    expect(Object.keys(named)).toEqual(['empty', 'duplicate-names'])
  })
})
