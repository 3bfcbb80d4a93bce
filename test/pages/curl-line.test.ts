import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { curlLine } from '../../src/pages/curl-line.js'
import { anyText } from '../any-text.js'

const lineFor = (body: Uint8Array, headers: Record<string, string | null> = {}) =>
  curlLine({ method: 'POST', url: 'http://localhost:4010/v1/projects', headers, body })

/** The bytes that a POSIX shell would send: a function replaces curl, and prints the body. */
const sentBy = (line: string): Uint8Array =>
  execFileSync(
    '/bin/sh',
    [
      '-c',
      `curl() { while [ $# -gt 1 ]; do shift; done; if [ "$1" = @- ]; then cat; else printf %s "$1"; fi; }\n${line}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

const encode = (text: string) => new TextEncoder().encode(text)

const controls = /[^\n\P{Cc}]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u

describe('a curl line', () => {
  test('repeats any body, without control characters', () => {
    const examples = [
      '\x1b]0;owned\x07\x1b[2J',
      '\u009b31m\u202e\u2066\u2028',
      '\'%s\' \\033 \\\\ $(date) `date` "$HOME"\r\n\t\0' + '7',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
      '{\n  "name": "It\'s 100 %"\n}',
    ]
    const text = anyText({ minLength: 1, maxLength: 30 }).map(encode)
    const bodies: fc.Arbitrary<Uint8Array> = fc.oneof(text, fc.uint8Array({ minLength: 1 }))
    void fc.assert(
      fc.property(bodies, (body) => {
        const line = lineFor(body)
        expect(line).not.toMatch(controls)
        expect([...sentBy(line)]).toEqual([...body])
      }),
      { numRuns: 50, examples: examples.map((example): [Uint8Array] => [encode(example)]) },
    )
  })

  test('requests one address with brackets, as of a filter, and not several addresses', () => {
    const lineOf = (url: string) => curlLine({ method: 'GET', url, headers: {}, body: new Uint8Array() })
    const [list, set] = ['http://a/?filter[status]=open', 'http://a/{x,y}']
    expect([list, set, 'http://a/b'].map(lineOf)).toEqual([
      `curl -i -g '${list}'`,
      `curl -i -g '${set}'`,
      'curl -i http://a/b',
    ])
  })

  test('quotes a method and a header that the shell would interpret', () => {
    const odd = { method: '`id`', url: 'http://a/$(id)', cookie: '`id`', headers: { 'x-`id`': '$(id)' } }
    const script = `curl() { printf '%s\\n' "$@"; }\n${curlLine({ ...odd, body: encode('`id`') })}`
    const words = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n')
    expect(words).toEqual([
      ...['-i', '-X', '`id`', 'http://a/$(id)', '-b', 'session=%60id%60'],
      ...['-H', 'x-`id`: $(id)', '--data-raw', '`id`'],
    ])
  })

  test('shows a control character of a header as a question mark', () => {
    expect(lineFor(new Uint8Array(), { prefer: 'code=\u009b31m' })).toContain("-H 'prefer: code=?31m'")
  })
})
