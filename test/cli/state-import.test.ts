import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withModules } from '../mock/with-modules.js'
import { emptyFolder, listening, run, start } from './cli-process.js'

const db = {
  users: [
    { id: 1, name: 'Ada Lovelace', username: 'ada', email: 'ada@example.com', phone: '1' },
    { id: 2, name: 'Max', teamId: 't 2' },
  ],
  teams: [
    { id: 't1', name: 'One' },
    { id: 't 2', name: 'Two' },
  ],
  projects: [
    { id: 1, title: 'Roadmap', teamId: 't1', budget: 7 },
    { id: 2, name: 'Site', status: 'paused', teamId: 't 2', createdAt: '2026-02-01' },
  ],
  posts: [{ id: 1, title: 'Hello', author: 'typicode' }],
  profile: { name: 'typicode' },
}

const folderWith = (value: unknown) => {
  const cwd = withModules(emptyFolder())
  writeFileSync(`${cwd}/db.json`, JSON.stringify(value))
  return cwd
}

describe('dashboard-api state import', () => {
  test('takes a byte order mark, and names the line and column of a fault', async () => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/db.json`, `\uFEFF${JSON.stringify(db)}`)
    expect(await run(['state', 'import', 'db.json'], { cwd })).toMatchObject({ code: 0 })
    writeFileSync(`${cwd}/wrong.json`, '{\n  "posts": [,]\n}')
    const { code, stderr } = await run(['state', 'import', 'wrong.json'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('wrong.json: line 2, column 13: not JSON: '),
    })
  })

  test('makes records and handlers of a db.json of json-server, which dev serves', async () => {
    const cwd = folderWith(db)
    const { code, stdout, stderr } = await run(['state', 'import', 'db.json'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'mocks/state.json\nmocks/handlers.mjs\n' })
    expect(stderr).toContain('Left out, as the interface lacks it: users.phone, projects.budget.')
    expect(stderr).toContain(
      'Next: npx dashboard-api dev --fixtures mocks/state.json --handlers mocks/handlers.mjs',
    )
    const args = ['--fixtures', 'mocks/state.json', '--handlers', 'mocks/handlers.mjs']
    const url = await listening(start(['dev', '--port', '0', '--json', ...args], { cwd }))
    const call = async (path: string, init: RequestInit = {}, space = 'one') => {
      const headers = { 'content-type': 'application/json', cookie: 'session=ada', 'x-mock-space': space }
      const response = await fetch(url + path, { ...init, headers })
      return [response.status, await response.json()]
    }
    const [, { projects }] = await call('/v1/projects')
    expect(projects).toMatchObject([{ id: '1', name: 'Roadmap', status: 'active', teamId: 't1' }])
    expect(await call('/posts/1')).toEqual([200, db.posts[0]])
    expect(await call('/posts/9')).toEqual([404, {}])
    const created = await call('/posts', { method: 'POST', body: '{"title":"New"}' })
    expect(created).toEqual([201, { id: expect.any(String), title: 'New' }])
    expect(await call('/posts/1', { method: 'PATCH', body: '{"title":"Changed","id":5}' })).toEqual([
      200,
      { id: 1, title: 'Changed', author: 'typicode' },
    ])
    expect(await call('/posts/1', { method: 'PUT', body: '{"title":"Only"}' })).toEqual([
      200,
      { id: 1, title: 'Only' },
    ])
    expect(await call('/posts/1', { method: 'DELETE' })).toEqual([200, { id: 1, title: 'Only' }])
    expect(await call('/posts')).toEqual([200, [created[1]]])
    expect(await call('/profile', { method: 'PATCH', body: '{"age":7}' })).toEqual([
      200,
      { name: 'typicode', age: 7 },
    ])
    // Each space has separate data.
    expect(await call('/posts', {}, 'two')).toEqual([200, db.posts])
  })

  test('needs no handlers without other collections, and overwrites nothing', async () => {
    const cwd = folderWith({ projects: [{ id: 'p', name: 'P' }] })
    const first = await run(['state', 'import', 'db.json', '--output', 'made'], { cwd })
    expect(first).toMatchObject({ code: 0, stdout: 'made/state.json\n' })
    const state = JSON.parse(readFileSync(`${cwd}/made/state.json`, 'utf8'))
    expect(state.sessions).toMatchObject([{ id: 'user-1', orgCode: 'org_team-1' }])
    const again = await run(['state', 'import', 'db.json', '--output', 'made'], { cwd })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists, and was not changed') })
  })

  test.each([
    ['a state file', { version: 1 }, 'is not a db.json of json-server'],
    ['two records of one id', { projects: [{ id: 1 }, { id: '1' }] }, 'projects[1].id'],
  ])('refuses %s', async (_, value, message) => {
    const result = await run(['state', 'import', 'db.json'], { cwd: folderWith(value) })
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('is suggested where dev receives a db.json', async () => {
    const cwd = folderWith(db)
    const result = await run(['dev', '--port', '0', '--fixtures', 'db.json'], { cwd })
    expect(result.code).toBe(2)
    expect(result.stderr).toContain(
      'hint: If it is a db.json of json-server: npx dashboard-api state import db.json\n',
    )
  })
})
