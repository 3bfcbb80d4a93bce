import fixture from '../fixtures/demo.json' with { type: 'json' }
import { startDevServer } from '../src/mock/dev-server.js'
import { parseState } from '../src/store/state.js'
import { rawRequest } from './http-suite/raw-request.js'
import { testHttp } from './http-suite/run.js'

testHttp('the dev server', 'mock', async () => {
  const { url, mock, close } = await startDevServer({ fixtures: parseState(fixture), port: 0 })
  return {
    mode: 'mock',
    baseUrl: url,
    fetch,
    cookieOf: (persona) => `session=${persona}`,
    raw: rawRequest,
    ownsOrigin: true,
    reset: async () => mock.reset(),
    close,
  }
})
