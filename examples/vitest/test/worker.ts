import { setupWorker } from 'msw/browser'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { mock } from '../src/mock'

const worker = setupWorker(...mock.handlers)

beforeAll(() => worker.start({ quiet: true, onUnhandledRequest: 'bypass' }))
afterEach(async () => {
  worker.resetHandlers()
  await mock.reset()
})
afterAll(() => worker.stop())
