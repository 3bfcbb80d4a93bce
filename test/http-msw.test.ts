import { testHttp } from './http-suite/run.js'
import { startInterceptor } from './http-suite/start-interceptor.js'

testHttp('MSW in Node', 'mock', startInterceptor)
