import { expect } from 'vitest'
import { controlEndpoints, stepHeader } from '../../../src/mock/controls/control-endpoints.js'
import { saidOf } from '../../../src/mock/controls/control-words.js'
import { suggest } from '../../../src/mock/surfaces/box/command-box.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { boxContextOf } from './box-context.js'
import { testSurface } from './surface-suite.js'

testSurface(
  'HTTP',
  async ({ url }) => ({
    async perform(control, input) {
      const [method, path] = controlEndpoints[control].split(' ')
      const response = await fetch(url + path, {
        method: method as string,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      expect(response.status, await response.clone().text()).toBe(200)
      return saidOf(control, JSON.parse(response.headers.get(stepHeader) ?? 'null') ?? undefined, input)
    },
  }),
  { sequences: 10 },
)

testSurface(
  'the client',
  async ({ url }) => {
    const { run } = createControlClient(url)
    return {
      perform: async (control, input) => saidOf(control, (await run(control, input as never)).step, input),
    }
  },
  { sequences: 10 },
)

testSurface(
  'the words of the box',
  async ({ mock: { controls } }) => ({
    cannot: { loadState: 'it reads a file of the machine' },
    async perform(control, _input, line) {
      const [first] = suggest(line, await boxContextOf(controls))
      expect(first?.action, `${line}: ${first?.text}`).toMatchObject({ control })
      const input = first?.action && 'input' in first.action ? first.action.input : {}
      return saidOf(control, (await controls.run(control, input)).step, input)
    },
  }),
  { sequences: 10 },
)
