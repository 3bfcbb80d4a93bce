import { setupWorker } from 'msw/browser'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { handlers, mock } from '../src/mock'

const worker = setupWorker(...handlers)

beforeAll(() => worker.start({ quiet: true, onUnhandledRequest: 'bypass' }))
afterEach(async () => {
  worker.resetHandlers()
  await mock.reset()
})
afterAll(() => worker.stop())
