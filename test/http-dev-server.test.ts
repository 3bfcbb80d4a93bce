import { testHttp } from './http-suite/run.js'
import { startDevServer } from './http-suite/start-dev-server.js'

testHttp('the dev server', 'mock', startDevServer)
