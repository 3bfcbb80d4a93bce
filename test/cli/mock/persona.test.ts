import { describe, expect, test } from 'vitest'
import { listening, run, start } from '../cli-process.js'

describe('dashboard-api session of a running mock', () => {
  test('lists the personas and the active one', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const { stdout } = await run(['mock', 'persona', 'list', '--url', url])
    const [head, first, ...rest] = stdout.trimEnd().split('\n')
    expect(head).toBe('Active\tPersona\tEmail\tOrganisation\tRole\tNote')
    expect(first).toMatch(/^\*\tacme-owner\tada@acme\.example\torg_acme\towner\t/)
    expect(rest).toHaveLength(9)

    const listed = JSON.parse((await run(['mock', 'persona', 'list', '--url', url, '--json'])).stdout)
    expect(listed).toMatchObject({ active: 'acme-owner', sessions: expect.any(Array) })
    expect(listed.sessions[7]).toMatchObject({ id: 'no-organization', email: 'nora@example.com' })
  })

  test('changes the persona of session=active from the next request on', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const post = () =>
      fetch(`${url}/v1/projects`, {
        method: 'POST',
        headers: { cookie: 'session=active', 'content-type': 'application/json' },
        body: '{"name":"New"}',
      })
    expect((await post()).status).toBe(201)
    expect(await run(['session', 'use', 'acme-viewer', '--url', url])).toMatchObject({
      code: 0,
      stdout: 'acme-viewer\n',
      stderr: 'session=active stands for acme-viewer now.\n',
    })
    expect((await post()).status).toBe(403)
    expect(await run(['session', 'current', '--url', url])).toMatchObject({
      code: 0,
      stdout: 'acme-viewer\n',
    })
    const { stdout } = await run(['session', 'use', 'no-organization', '--url', url, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ id: 'no-organization', email: 'nora@example.com' })

    const unknown = await run(['session', 'use', 'nobody', '--url', url])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toMatch(/no persona "nobody".*acme-owner/)
  })
})
