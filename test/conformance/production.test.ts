import { testHttp } from './run.js'
import { startProduction } from './start-production.js'

testHttp('the production server', 'production', startProduction)
