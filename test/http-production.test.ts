import { testHttp } from './http-suite/run.js'
import { startProduction } from './http-suite/start-production.js'

testHttp('the production server', 'production', startProduction)
