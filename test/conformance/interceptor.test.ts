import { testHttp } from './run.js'
import { startInterceptor } from './start-interceptor.js'

testHttp('MSW in Node', 'mock', startInterceptor)
