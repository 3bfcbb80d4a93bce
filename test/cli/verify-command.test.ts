import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeInterface } from '../../src/cli/describe-interface.js'
import { emptyFolder, listening, run, start, startProcess } from './cli-process.js'

describe('dashboard-api verify', () => {
  test('verifies the mock, with a table, JSON and a JUnit report', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const report = join(emptyFolder(), 'report.xml')
    const plain = await run(['verify', url, '--junit', report])
    expect(plain.stderr).toMatch(/^\d+ kept, 0 violated, \d+ skipped \(mock mode\)$/m)
    expect(plain.code).toBe(0)
    const [header, ...rows] = plain.stdout.trimEnd().split('\n')
    expect(header).toBe('Result\tRequests\tStatuses\tCase\tSection or decision')
    expect(rows).toContainEqual(
      expect.stringMatching(/^kept\tGET \/v1\/auth\/me as acme-owner\t200\t.*\t5.4 the mock/),
    )
    expect(readFileSync(report, 'utf8')).toMatch(/<testsuite name="[^"]+" tests="\d+" failures="0"/)

    const { code, stdout } = await run(['verify', url, '--json', '--cookie', 'viewer=acme-viewer'])
    expect(code).toBe(0)
    const { mode, violated, results } = JSON.parse(stdout)
    expect({ mode, violated }).toEqual({ mode: 'mock', violated: 0 })
    expect(results).toContainEqual(expect.objectContaining({ reason: 'no cookie of acme-owner was given' }))
  })

  test('reports an invalid cookie, and a service that cannot be reached', async () => {
    const unknown = await run(['verify', 'http://127.0.0.1:1', '--cookie', 'boss=the-cookie'])
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('WHO is one of owner, member, viewer')
    // The output may end up in the log of a CI job.
    expect(unknown.stderr).not.toContain('the-cookie')
    const nobody = await run(['verify', 'http://127.0.0.1:1'])
    expect(nobody.code).toBe(2)
    expect(nobody.stderr).toContain('cannot be reached')
  })

  test('exits with 1 if the interface is violated', async () => {
    // A server that answers something else.
    const script =
      "require('http').createServer((_, r) => r.end('<h1>hello</h1>')).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port })) })"
    const url = await listening(startProcess(process.execPath, ['-e', script]))
    const { code, stderr } = await run(['verify', url])
    expect(stderr).toContain('violated: ')
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
