import { setupServer } from 'msw/node'
import { expect, it } from 'vitest'
import { checkNode } from '../../src/mock/check-node.js'

/** The part of a server of MSW 3 that is looked at. */
const ofMsw3 = { readyState: 0 }

it.each(['18.20.0', '20.19.0', '22.0.0', '22.11.9'])('refuses MSW 3 in Node %s', (version) => {
  expect(() => checkNode(ofMsw3, version)).toThrow(
    `The installed msw is version 3, which needs Node 22.12 or later. This is Node ${version}: update Node, or install msw@2.`,
  )
})

it.each(['22.12.0', '22.20.1', '24.0.0'])('takes MSW 3 in Node %s', (version) => {
  expect(() => checkNode(ofMsw3, version)).not.toThrow()
})

it('takes MSW 2 in Node 20.19', () => {
  expect(() => checkNode(setupServer(), '20.19.0')).not.toThrow()
})
