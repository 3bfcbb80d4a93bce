import { expect, test } from 'vitest'
import { requestTarget, targetPath } from '../../src/http/request-target.js'

test.each([
  ['/a?b=http://c.example/d', '/a?b=http://c.example/d', '/a'],
  ['http://host.example:80/a?b#c', '/a?b#c', '/a'],
  ['HTTPS://host.example?a\nb', '?a\nb', ''],
  ['/a#b?c', '/a#b?c', '/a'],
  ['/a/../\\%2e', '/a/../\\%2e', '/a/../\\%2e'],
  [undefined, '/', '/'],
])('the target %j is %j, its path %j', (url, target, path) => {
  expect(requestTarget(url)).toBe(target)
  expect(targetPath(url)).toBe(path)
})
