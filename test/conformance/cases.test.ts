import { afterAll, beforeAll, expect, test } from 'vitest'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import { isEmailAddress } from '../../src/contract/email.js'
import { type StartedTarget, startDevServer } from './start-dev-server.js'

let target: StartedTarget
beforeAll(async () => {
  target = await startDevServer()
})
afterAll(() => target?.close())

test('titles are unique', () => {
  const titles = cases.map(({ title }) => title)
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
})

test('a run sends fewer sign-ups than a client may in a minute by default, under domains reserved for examples', async () => {
  const addresses: string[] = []
  let signUps = 0
  for (const testCase of cases.filter(({ mode }) => mode !== 'production'))
    await play(target, testCase, ({ method, path, json }, { status }) => {
      if (method !== 'POST' || !/^\/v1\/waitlist(\?|$)/.test(path)) return
      signUps += 1
      const { email } = Object(json)
      if (status === 200 && typeof email === 'string') addresses.push(email.trim().toLowerCase())
    })
  expect(signUps).toBeLessThan(100)
  expect(addresses.length).toBeGreaterThan(10)
  const isReserved = /@(([\w-]+\.)*example(\.(com|org|net))?|[^@]+\.example)$/
  expect(addresses.filter((address) => isEmailAddress(address) && !isReserved.test(address))).toEqual([])
})

test('a case that does not say that it writes cannot', async () => {
  const playing = play(target, {
    title: 'A project is created',
    requirement: '4.1 create a project',
    play: async ({ newProject }) => void (await newProject()),
  })
  await expect(playing).rejects.toThrow('sends POST and is no case that writes')
})
