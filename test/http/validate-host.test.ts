import { expect, test } from 'vitest'
import { validateHost } from '../../src/http/validate-host.js'

const missing = 'The request has no Host header.'
const twice = 'The request has more than one Host header.'

test.each([
  [['Host', 'a'], '1.1', undefined],
  [['x', 'host', 'HOST', 'a', 'hose', 'b', 'hostname', 'c'], '1.1', undefined],
  [['host', 'a', 'x', 'y', 'Host', 'a'], '1.1', twice],
  [['host', 'a', 'host', 'b'], '1.0', twice],
  [['x', 'host'], '1.1', missing],
  [[], '1.1', missing],
  [[], '1.0', undefined],
])('%j of HTTP/%s: %s', (rawHeaders, httpVersion, fault) => {
  expect(validateHost({ rawHeaders, httpVersion })).toBe(fault)
})
