import { testHttp } from './run.js'
import { startDevServer } from './start-dev-server.js'

testHttp('the dev server', 'mock', startDevServer)
