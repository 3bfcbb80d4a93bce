import { sse } from 'msw'
import { afterEach, expect, it } from 'vitest'
import { readHandlers } from '../../../src/mock/handlers/read-handlers.js'

const hadEventSource = 'EventSource' in globalThis
afterEach(() => expect('EventSource' in globalThis).toBe(hadEventSource))

const load = (handlers: unknown) => readHandlers('/app/handlers.ts', async () => ({ handlers }), [])
const events = () => [sse('/api/events', () => {})]

it('handlers of server-sent events are made while another file is loaded, and after its load has ended', async () => {
  let loaded = () => {}
  const isOtherLoaded = new Promise<void>((resolve) => {
    loaded = resolve
  })
  const other = load([]).then(loaded)
  const own = readHandlers('/app/handlers.ts', async () => {
    await isOtherLoaded
    return { handlers: events() }
  }, [])
  await other
  expect(await own).toHaveLength(1)
})

it('handlers of server-sent events are made by a function, for each mock', async () => {
  const make = await load(events)
  expect(typeof make === 'function' && make()).toHaveLength(1)
})
