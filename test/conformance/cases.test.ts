import { expect, test } from 'vitest'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import { startDevServer } from './start-dev-server.js'

test('titles are unique', () => {
  const titles = cases.map(({ title }) => title)
  expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
})

test('a case that is not declared as writing cannot write', async () => {
  const target = await startDevServer()
  const playing = play(target, {
    title: 'A project is created',
    requirement: '4.1 create a project',
    play: async ({ newProject }) => void (await newProject()),
  })
  await expect(playing).rejects.toThrow('sends POST and is no case that writes')
  await target.close()
})
