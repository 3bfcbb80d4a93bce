import { expect, test } from 'vitest'

test('the executable draws new random bytes for each id, also past those that it drew at once', async () => {
  const { replacedInExecutable } = await import(new URL('../../scripts/replaced.js', import.meta.url).href)
  const source: string = replacedInExecutable['uuid/dist-node/rng.js']
  const { default: draw } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  const drawn = Array.from({ length: 1000 }, () => Buffer.from(draw()).toString('hex'))
  expect(drawn.every((bytes) => bytes.length === 32)).toBe(true)
  expect(new Set(drawn).size).toBe(1000)
})
