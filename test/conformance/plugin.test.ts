import { testHttp } from './run.js'
import { startPlugin } from './start-production.js'

testHttp('the plugin in an application', 'production', startPlugin)
