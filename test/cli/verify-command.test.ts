import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeInterface } from '../../src/cli/describe-interface.js'
import { emptyFolder, listening, run, start, startProcess } from './cli-process.js'
import { listenOnFreePort } from './take-port.js'

describe('dashboard-api verify', () => {
  test('verifies the mock, with a table, JSON and a JUnit report', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const report = join(emptyFolder(), 'report.xml')
    const plain = await run(['verify', url, '--junit', report])
    expect(plain.stderr).toMatch(
      /^\d+ passed, 0 failed, \d+ skipped \(mock mode: the session bundle of owner has devMode\)$/m,
    )
    expect(plain.code).toBe(0)
    const [header, ...rows] = plain.stdout.trimEnd().split('\n')
    expect(header).toBe('Outcome\tRequests\tTitle\tRequirement')
    expect(rows).toContainEqual(
      expect.stringMatching(/^passed\t1\tThe bundle of the mock has devMode and a role\t5.4 the mock/),
    )
    // A line for each section, even in a pipe.
    expect(plain.stderr).toMatch(/^callers \(5\): \d+ passed, 0 failed, \d+ skipped$/m)
    expect(plain.stderr).toMatch(/^paths \(9\): \d+ passed, 0 failed, \d+ skipped$/m)
    expect(readFileSync(report, 'utf8')).toMatch(/<testsuite name="[^"]+" tests="\d+" failures="0"/)

    const { code, stdout } = await run(['verify', url, '--json', '--cookie', 'viewer=acme-viewer'])
    expect(code).toBe(0)
    const { mode, modeReason, failed, results } = JSON.parse(stdout)
    expect({ mode, modeReason, failed }).toEqual({
      mode: 'mock',
      modeReason: 'the session bundle of viewer has devMode',
      failed: 0,
    })
    // The report names callers as --cookie does.
    expect(results).toContainEqual(expect.objectContaining({ reason: 'no cookie of owner was given' }))
    expect(results).toContainEqual(
      expect.objectContaining({
        title: 'Without a session there is no bundle',
        requirement: 'callers: no valid session',
        outcome: 'passed',
        exchanges: [{ request: 'GET /v1/auth/me', status: 401 }],
      }),
    )
  })

  test('fails for a dev server in place of production, and does not write to other teams', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const production = await run(['verify', url, '--mode', 'production', '--cookie', 'owner=acme-owner'])
    expect(production.code).toBe(1)
    expect(production.stderr).toContain('the bundle has a devMode in production mode')
    expect(production.stderr).toContain('(production mode: given with --mode)')
    const other = await run(['verify', url, '--write', '--team', 'team-verify'])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('owner is in the team team-acme, which --team does not name.')
    expect((await run(['verify', url, '--team', 'team-verify'])).stderr).toContain('--team needs --write.')
  })

  test('lists the cases, and runs the cases that match a text', async () => {
    const listed = await run(['verify', '--list', '--only', 'CONCURRENT', '--json'])
    expect(listed.code).toBe(0)
    const { cases } = JSON.parse(listed.stdout)
    expect(cases.length).toBeGreaterThan(3)
    for (const { section, title, requirement } of cases)
      expect(`${section} ${title} ${requirement}`.toLowerCase()).toContain('concurrent')
    const plain = await run(['verify', '--list'])
    expect(plain.stdout.split('\n')[0]).toBe('Section\tNeeds\tTitle\tRequirement')
    expect(plain.stdout.split('\n').length).toBeGreaterThan(100)

    const url = await listening(start(['dev', '--port', '0', '--json']))
    const some = await run(['verify', url, '--only', 'concurrent', '--write', '--json'])
    expect(some.code).toBe(0)
    const titles = JSON.parse(some.stdout).results.map(({ title }: { title: string }) => title)
    expect(titles).toEqual(cases.map(({ title }: { title: string }) => title))
  })

  test('names some of the records that it leaves behind, and all of them in JSON', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const plain = await run(['verify', url, '--only', 'a hundred projects', '--write'])
    expect(plain.code).toBe(0)
    expect(plain.stderr).toMatch(
      /^left behind: 110 projects: \S+ of owner, .*, and 100 more \(--json has all\)$/m,
    )
    const { stdout } = await run(['verify', url, '--only', 'a hundred projects', '--write', '--json'])
    expect(JSON.parse(stdout).leftBehind.projects).toHaveLength(110)
  })

  test('does not pass if no case was run', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const skipped = await run(['verify', url, '--only', 'a description may be'])
    expect(skipped).toMatchObject({ code: 2, stderr: expect.stringContaining('No case has the text') })
    const needsWrite = await run(['verify', url, '--only', 'joins the waitlist'])
    expect(needsWrite).toMatchObject({ code: 2, stderr: expect.stringContaining('No case could be run.') })
    expect(needsWrite.stderr).toContain('which needs --write')
    const needsCallers = await run([
      'verify',
      url,
      '--only',
      'two teams have',
      '--cookie',
      'owner=acme-owner',
    ])
    expect(needsCallers).toMatchObject({ code: 2, stderr: expect.stringContaining('No case could be run.') })
    expect(await run(['verify'])).toMatchObject({ code: 2, stderr: expect.stringContaining('address') })
  })

  test('reports an invalid cookie, and a service that cannot be reached', async () => {
    const unknown = await run(['verify', 'http://127.0.0.1:1', '--cookie', 'boss=the-cookie'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('WHO is one of owner, member, viewer')
    // The output may end up in the log of a CI job.
    expect(unknown.stderr).not.toContain('the-cookie')
    const nobody = await run(['verify', 'http://127.0.0.1:1'])
    expect(nobody.code).toBe(2)
    expect(nobody.stderr).toContain('GET http://127.0.0.1:1/v1/auth/me failed: connect ECONNREFUSED')
  })

  test('does not call a service unreachable that closes the connection', async () => {
    const port = await listenOnFreePort(createServer((request) => request.socket.destroy()))
    const { code, stderr } = await run(['verify', `http://127.0.0.1:${port}`])
    expect([code, stderr]).toEqual([
      2,
      `error: GET http://127.0.0.1:${port}/v1/auth/me failed: socket hang up\nhint: Check the address. If the service got the request, look at its log.\n`,
    ])
  })

  test('does not say of a service that it does not reply, if its reply does not end', async () => {
    const server = createServer((_, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    })
    const requested = once(server, 'request')
    const running = start(['verify', `http://127.0.0.1:${await listenOnFreePort(server)}`])
    await requested
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      stderr: 'error: The run was interrupted, and had not ended after 5 s, so there is no report.\n',
    })
  })

  test('exits with 1 if the interface is violated', async () => {
    // A server with another interface.
    const script =
      "require('http').createServer((_, r) => r.end('<h1>hello</h1>')).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port })) })"
    const url = await listening(startProcess(process.execPath, ['-e', script]))
    const { code, stderr } = await run(['verify', url])
    expect(stderr).toContain('failed: ')
    expect(code).toBe(1)
  })
})

test('dashboard-api openapi prints the document in both formats', async () => {
  for (const format of ['json', 'yaml'] as const) {
    expect(await run(['openapi', '--format', format])).toMatchObject({
      code: 0,
      stdout: describeInterface(format),
      stderr: '',
    })
  }
})
